"""The concepts of the domain event, one file each; `forms` holds what several of them share."""

from data.primer.concepts.event.christmas import CHRISTMAS
from data.primer.concepts.event.lantern_festival import LANTERN_FESTIVAL
from data.primer.concepts.event.rainbow import RAINBOW
from data.primer.concepts.event.raising_of_the_olympic_flag import OLYMPIC_FLAG
from data.primer.concepts.event.thunderstorm import THUNDERSTORM
from data.primer.concepts.event.tornado import TORNADO
from data.primer.concepts.event.total_solar_eclipse import ECLIPSE
from data.primer.concepts.event.volcanic_eruption import VOLCANO
from data.primer.world import Concept

CONCEPTS: tuple[Concept, ...] = (RAINBOW, VOLCANO, THUNDERSTORM, ECLIPSE, TORNADO, OLYMPIC_FLAG, CHRISTMAS, LANTERN_FESTIVAL)
