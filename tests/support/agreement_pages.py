"""Compares metrics with people as the Agreement page does."""

from hallascope.engine.human_agreement.comparison import AgreementOptions
from hallascope.engine.services import Services
from hallascope.pages.agreement.agreement_view import AgreementView
from hallascope.pages.agreement.state import NO_OPTIONS, ComparisonInput, steps


def compare_with_people(
    services: Services, given: ComparisonInput, options: AgreementOptions = NO_OPTIONS
) -> AgreementView:
    """Return what the page shows at the end."""
    *_, last = steps(services, given, options)
    assert isinstance(last, AgreementView)
    return last
