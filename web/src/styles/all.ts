/** The styles of the page, in the order in which later ones win; parts that are fetched later bring their own. */
import "./base.css";
import "./pages.css";
import "./cards.css";
import "./table.css";
import "./trick.css";
import "./hand.css";
import "./panels.css";
import "./sheets.css";
import "./fair.css";
import "./replay.css";
import "./notes.css";
import "./editor.css";
import "./watching.css";
import "./phrases.css";
import "./settings.css";
import "./sizes.css";
import "./landscape.css";
