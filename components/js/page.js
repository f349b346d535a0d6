// @ts-check
/* The scripts of the dashboard. `scripts.py` starts each by its name where Gradio draws its
   component; the last four belong to the page as a whole. */
import { mount as cards } from "../cards/cards.js";
import { mount as slider } from "../comparison/slider.js";
import { mount as tables } from "../comparison/tables.js";
import { mount as errorMap } from "../error_analysis/error_map/error_map.js";
import { mount as selectionBar } from "../error_analysis/selection_bar.js";
import { mount as errorGallery } from "../error_analysis/gallery.js";
import { mount as runChanges } from "../error_analysis/run_changes.js";
import { mount as sliceTable } from "../error_analysis/slice_table.js";
import { mount as imageGrid } from "../error_analysis/image_grid.js";
import { mount as viewer } from "../evidence/viewer.js";
import { mount as fileButton } from "../html/fields/file_button.js";
import { mount as judges } from "../judges/judges.js";
import { mount as drilldown } from "../leaderboard/drilldown.js";
import { mount as figureClicks } from "../leaderboard/figure_clicks.js";
import { mount as leaderboardControls } from "../leaderboard/leaderboard_controls.js";
import { mount as scatterHover } from "../leaderboard/scatter_hover.js";
import { mount as pickers } from "../models/pickers.js";
import { mount as promptHelp } from "../models/prompt_help.js";
import { mount as settingsLine } from "../models/settings_line.js";
import { mount as prompts } from "../models/prompts.js";
import { mount as labeling } from "../people/labelling.js";
import { mount as review } from "../questions/review.js";
import { mount as savedSets } from "../questions/saved_sets.js";
import { mount as readingPanel } from "../readings/panel.js";
import { mount as share } from "../share/share.js";
import { mount as runs } from "../runs/panel.js";
import { mount as breakIt } from "../teach/break_it.js";
import { mount as exercise } from "../teach/exercise.js";
import { mount as lessonEditor } from "../teach/lesson_editor.js";
import { mount as oddOneOut } from "../teach/odd_one_out.js";
import "../html/definitions.js";
import "../html/fields/key_field.js";
import "../html/fields/number_field.js";
import "../theme/page_look.js";

window.hallascope = {
  "cards/cards": cards,
  "comparison/slider": slider,
  "comparison/tables": tables,
  "error_analysis/error_map": errorMap,
  "error_analysis/selection_bar": selectionBar,
  "error_analysis/gallery": errorGallery,
  "error_analysis/slice_table": sliceTable,
  "error_analysis/run_changes": runChanges,
  "error_analysis/image_grid": imageGrid,
  "evidence/viewer": viewer,
  "html/fields/file_button": fileButton,
  "judges/judges": judges,
  "leaderboard/drilldown": drilldown,
  "leaderboard/figure_clicks": figureClicks,
  "leaderboard/leaderboard_controls": leaderboardControls,
  "leaderboard/scatter_hover": scatterHover,
  "models/pickers": pickers,
  "models/prompt_help": promptHelp,
  "models/settings_line": settingsLine,
  "models/prompts": prompts,
  "people/labelling": labeling,
  "questions/review": review,
  "questions/saved_sets": savedSets,
  "readings/panel": readingPanel,
  "share/share": share,
  "runs/panel": runs,
  "teach/break_it": breakIt,
  "teach/exercise": exercise,
  "teach/lesson_editor": lessonEditor,
  "teach/odd_one_out": oddOneOut,
};
