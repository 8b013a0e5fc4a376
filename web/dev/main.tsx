/** Looks at the table without a server: `/dev/?scene=auction`. */
import { render } from "preact";
import { Notices } from "../src/components/App.tsx";
import { TableView } from "../src/components/TablePage.tsx";
import { linkState, receive, scene } from "../src/store.ts";
import { theme } from "../src/settings.ts";
import { speak, type Language } from "../src/words.ts";
import { SCENES } from "./scenes.ts";
import "../src/styles/all.ts";

const asked = new URLSearchParams(location.search);
speak((asked.get("lang") ?? "it") as Language);
if (asked.get("theme") === "light") theme.value = "light";
linkState.value = "open";
const steps = SCENES[asked.get("scene") ?? "auction"]!;
receive(steps[0]!, true);
steps.slice(1).forEach((next, index) => setTimeout(() => receive(next, false), 400 * (index + 1)));

function Page() {
  return (
    <>
      <TableView scene={scene.value!} />
      <Notices />
    </>
  );
}
render(<Page />, document.getElementById("app")!);
