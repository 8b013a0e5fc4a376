import { render } from "preact";
import { App } from "./components/App.tsx";
import { listenToChat } from "./chat.ts";
import { OWN, recallPack } from "./own.ts";
import { keepPromises } from "./passing.ts";
import { deckWish } from "./settings.ts";
import { listen } from "./noises.ts";
import { follow } from "./notes.ts";
import { settleIn } from "./offline.ts";
import "./styles/all.ts";

listen();
if (deckWish.value === OWN) void recallPack();
follow();
listenToChat();
settleIn();
keepPromises();
document.getElementById("boot")?.remove();
render(<App />, document.getElementById("app")!);
