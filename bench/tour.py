"""Brings each tab to a state worth a picture, as a person would by what is visible.

It takes no picture.
"""

from collections.abc import Callable, Sequence

from playwright.sync_api import Locator, Page, expect

from tests.support.browser import choose_chips, expect_answers, open_tab, ready, set_chip

FIRST, SHAPES = "a gentoo penguin", "a red circle above a blue square"
MODELS = ("primer/exact", "primer/careful", "primer/hasty", "primer/careless")
SEED = 6
COUNTED = "three red circles and a blue square"
METRICS = ("ihalla", "fig", "scene-graph", "factualbench", "tifa")
GRADES = "7421"  # one for each image of the stops before; made up, to have something to show


def open_part(page: Page, part: str) -> None:
    """Open a part of the Learn tab by its address."""
    page.goto(f"{page.url.partition('?')[0]}?tab=learn&part={part}&__theme=light")


def prepare_run(page: Page, models: Sequence[str], seed: int) -> None:
    """Choose models and a seed on Evaluate."""
    open_tab(page, "Evaluate")
    ready(page, "prompts-to-try")
    choose_chips(page, "models", *models)
    page.get_by_label("Seed").first.fill(str(seed))
    page.locator("#settings > button").click()  # what was set stands in one line again


def await_run(page: Page, prompt: str, models: Sequence[str]) -> None:
    """Wait until each model has an image of this prompt and every question is answered."""
    # The cards of a run before stay until the first picture of this one.
    expect(page.locator(f'#cards .frame img[alt^="{prompt},"]')).to_have_count(len(models))
    expect_answers(page, 5 * len(models))
    expect(page.locator("#generate")).to_be_enabled()


def generate(page: Page, prompt: str, models: Sequence[str] = MODELS, seed: int = SEED) -> None:
    """The models, all four draughtsmen unless named, draw the prompt, and the judge answers."""
    prepare_run(page, models, seed)
    page.locator("#prompt input").fill(prompt)
    page.locator("#generate").click()
    await_run(page, prompt, models)


def first_wrong(found: Locator, any_other: Locator) -> None:
    """Choose the first that is wrong, else the first of all; what is chosen already stays so."""
    button = (found if found.count() else any_other).first
    if button.locator("xpath=ancestor-or-self::*[contains(@class, 'lit')]").count() == 0:
        button.click()


def learn(page: Page) -> None:
    """A wrong guess of the place, the right fact, and then the truth."""
    open_tab(page, "Find it")
    field = page.locator(".teach .field")
    expect(field.locator("img")).to_be_visible()
    field.click(position={"x": 60, "y": 60})
    page.locator(".teach .which label", has_text="How many outer atoms").click()
    page.locator(".teach .check").click()
    expect(page.locator(".teach .exercise-truth .exhibit")).to_have_count(2)
    expect(page.locator(".teach .judge")).to_contain_text("answers")


def choose_careless(page: Page) -> None:
    """Choose the image of the worst draughtsman, and wait for its evidence."""
    page.locator(
        "#cards .tile", has=page.get_by_role("heading", name="careless", exact=True)
    ).click()
    expect(page.locator("#evidence .which").first).to_have_text("careless")


def evaluate(page: Page) -> None:
    """The first prompt that is offered, and the first question that is answered wrongly of the
    worst picture.
    """
    generate(page, FIRST)
    choose_careless(page)
    first_wrong(
        page.locator("#evidence .question.incorrect .question-title"),
        page.locator("#evidence .question-title"),
    )


def show_wrong_verdict(page: Page) -> None:
    """A question that the judge answers wrongly, beside what was drawn."""
    generate(page, COUNTED, ("primer/careless",), seed=9)
    wrong = page.locator("#evidence .question", has_text="the judge is wrong").first
    wrong.locator(".question-title").click()
    page.locator("#evidence").scroll_into_view_if_needed()


def show_round(page: Page) -> None:
    """The rounds of the first page after a guess."""
    open_part(page, "rounds")
    ready(page, "odd-one-out")
    page.locator("#odd-one-out .round-pick").nth(2).click()
    expect(page.locator("#odd-one-out .round-result")).to_be_visible()


def show_corrected(page: Page) -> None:
    """The leaderboard with scores corrected by people."""
    ready(page, "board")
    expect(page.locator("#board-figure .js-plotly-plot")).to_be_visible()
    page.evaluate("document.querySelector('#board-figure').scrollIntoView(); scrollBy(0, -12)")


def ihalla(page: Page) -> None:
    open_tab(page, "I-HallA")
    expect(page.locator("#answers .answer-cell")).to_have_count(5 * len(MODELS))
    expect(page.locator("#ihalla-evidence .exhibit")).to_have_count(1)


def factualbench(page: Page) -> None:
    open_tab(page, "FactualBench")
    look(page, "factual")


def look(page: Page, name: str) -> None:
    """The images of the run are evaluated, and the evidence of one is shown."""
    page.locator(f"#{name}-go").click()
    expect(page.locator(f"#{name}-status")).to_contain_text(f"images, {len(MODELS)} judged")
    expect(page.locator(f"#{name}-table .head-cell")).to_have_count(len(MODELS))
    page.locator(f"#{name}-table .head-cell").last.click()
    expect(page.locator(f"#{name}-evidence .which").first).to_have_text("careless")


def labels(page: Page) -> None:
    """Two questions of the first picture are answered, without its prompt."""
    open_tab(page, "Labels")
    start(page, "questions")
    expect(page.locator("#people-desk fieldset")).to_have_count(5)
    for key in "12":
        page.keyboard.press(key)
    expect(page.locator("#people-desk .told")).to_have_text("Saved.")


def start(page: Page, mode: str) -> None:
    page.locator("#people-name input").fill("Ann")
    set_chip(page, "people-mode", mode)
    page.locator("#people-go").click()
    expect(page.locator("#people-status")).to_contain_text("images for Ann")


def label_queue(page: Page) -> None:
    """A rater starts the newest plan of the tab, and labels an image and a part by keys."""
    expect(page.locator("#queue-plan input:checked")).to_have_count(1)
    page.locator("#queue-name input").fill("Ann")
    page.locator("#queue-name input").press("Enter")
    expect(page.locator("#queue-desk fieldset")).to_have_count(5)
    done = page.locator("#queue-desk .done").inner_text()
    for key in "12345":
        page.keyboard.press(key)
    expect(page.locator("#queue-desk .done")).not_to_have_text(done)
    for key in "12":
        page.keyboard.press(key)
    expect(page.locator("#queue-desk .forecast")).not_to_be_empty()
    expect(page.locator("#queue-report")).to_contain_text("Human ceiling")
    page.locator("h2", has_text="Labeling queue").evaluate("one => one.scrollIntoView()")


def open_rater_page(page: Page) -> None:
    """A rater opens the link of a plan, and answers a question by a key."""
    link = page.locator("#queue-link a").get_attribute("href")
    page.goto(f"{page.url.partition('?')[0]}{link}&__theme=light")
    page.locator("#rater-name input").fill("Ann")
    page.locator("#rater-name input").press("Enter")
    expect(page.locator("#rater-desk fieldset")).to_have_count(5)
    expect(page.locator("#rater-desk img")).not_to_have_js_property("naturalWidth", 0)
    page.keyboard.press("1")


def agreement(page: Page) -> None:
    """Each picture is graded, and the grades are set beside the metric."""
    open_tab(page, "Labels")
    start(page, "grade")
    expect(page.locator("#people-desk fieldset")).to_have_count(1)
    for number, key in enumerate(GRADES, 1):
        page.keyboard.press(key)
        expect(page.locator("#people-desk .done")).to_have_text(
            f"{number} of {len(GRADES)} labeled"
        )
    expect(page.locator("#people-desk .told")).to_have_text("Saved. All images are labeled.")
    open_tab(page, "Agreement")
    set_chip(page, "agreement-source", "grade")
    page.locator("#agreement-go").click()
    expect(page.locator("#agreement-numbers")).to_contain_text("Kendall tau-b")
    expect(page.locator("#agreement-figure .js-plotly-plot")).to_be_visible()


def fig(page: Page) -> None:
    generate(page, SHAPES)
    open_tab(page, "FiG")
    look(page, "fig")


def scene_graph(page: Page) -> None:
    open_tab(page, "Scene graph")
    look(page, "scene-graph")


def leaderboard(page: Page) -> None:
    """What the models of the runs before are worth."""
    open_tab(page, "Leaderboard")
    ready(page, "board")
    expect(page.locator("#board-table tbody tr [data-pick]")).to_have_count(len(MODELS))
    expect(page.locator("#board-figure .js-plotly-plot")).to_be_visible()


def errors(page: Page) -> None:
    """The images of the runs before as a grid of prompts by models."""
    open_tab(page, "Errors")
    open_tab(page, "Grid")
    images = page.locator("#errors-grid img")
    expect(images.first).to_be_visible()
    for image in images.all():
        expect(image).not_to_have_js_property("naturalWidth", 0)


def judges(page: Page) -> None:
    """The trial of the embedded judge that ships."""
    open_tab(page, "Judges")
    expect(page.locator("#judges-table")).to_contain_text("shipped trial")
    page.locator("#judges-table button[data-judge='primer/judge']").click()
    expect(page.locator("#judge-detail .panel")).not_to_have_count(0)


def questions(page: Page) -> None:
    """A question written by hand, ready to be accepted."""
    open_tab(page, "Questions")
    ready(page, "review")
    page.locator("#q-prompt input").fill("a bicycle")
    page.get_by_label("For the prompt").fill("a bicycle")
    page.get_by_role("button", name="Add a question").click()
    page.get_by_label("Text of question 1").fill(
        "How many wheels does the object in the image have?"
    )
    page.get_by_label("Composition of interest of question 1").select_option("counting")
    for letter, words in zip("ABCD", ("One", "Two", "Three", "Four"), strict=True):
        page.get_by_label(f"Choice {letter}").fill(words)
    page.get_by_label("B is the right answer").check(force=True)


def all_metrics(page: Page) -> None:
    """A run of five metrics, and a question of it: what is about the same thing lights up."""
    prepare_run(page, ("primer/hasty", "primer/careless"), seed=0)
    choose_chips(page, "metrics", *METRICS)
    page.locator("#settings > button").click()
    page.locator("#prompt input").fill(COUNTED)
    page.locator("#generate").click()
    expect(page.locator("#cards .score-chip:not(.none)")).to_have_count(2 * len(METRICS))
    expect(page.locator("#generate")).to_be_enabled()
    choose_careless(page)
    first_wrong(
        page.locator("#evidence .question.incorrect .question-title"),
        page.locator("#evidence .question-title"),
    )


def runs(page: Page) -> None:
    """The list of runs, after two."""
    generate(page, FIRST)
    generate(page, SHAPES)
    page.get_by_role("button", name="Runs", exact=True).click()
    expect(page.get_by_role("dialog", name="Runs").locator(".run-card")).not_to_have_count(0)


def share(page: Page) -> None:
    """The card of an image with an error, ready to be shared."""
    evaluate(page)
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page.locator(".share-card")).not_to_have_js_property("naturalWidth", 0)


def prompt_help(page: Page) -> None:
    """A prompt that no built-in model draws, and what helps."""
    open_tab(page, "Evaluate")
    ready(page, "prompts-to-try")
    page.locator("#prompt input").fill("seven penguins on an iceberg")
    page.locator("#generate").click()
    expect(page.locator("#prompt-help .near-prompts button")).not_to_have_count(0)


def break_it(page: Page) -> None:
    """A fact of a drawing is made wrong, and the judge answers."""
    open_part(page, "break")
    panel = page.locator("#break-it")
    ready(page, "break-it")
    expect(panel.locator(".fact .outcome")).to_have_count(6)
    center = panel.locator(".fact", has_text="Which atom is at the center")
    center.locator("label", has_text="An oxygen atom").click()
    expect(panel.locator(".tally")).to_contain_text("of 1 that")


def lessons(page: Page) -> None:
    """The ready lessons of the Learn tab."""
    open_part(page, "lessons")
    expect(page.locator("#ready-lessons li h3")).to_have_count(3)


# What opens on the tabs; each stands alone.
PANELS: dict[str, Callable[[Page], None]] = {
    "all-metrics": all_metrics,
    "runs": runs,
    "share": share,
    "prompt-help": prompt_help,
    "break-it": break_it,
    "lessons": lessons,
}


# In the order in which one run of the app can show them: each builds on what is there, named as its
# page.
STOPS: dict[str, Callable[[Page], None]] = {
    "learn": learn,
    "evaluate": evaluate,
    "ihalla": ihalla,
    "factualbench": factualbench,
    "labels": labels,
    "agreement": agreement,
    "fig": fig,
    "scene_graph": scene_graph,
    "leaderboard": leaderboard,
    "errors": errors,
    "judges": judges,
    "questions": questions,
}
