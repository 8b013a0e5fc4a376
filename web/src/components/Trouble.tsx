/** Pages for what went wrong: what it is, and the way on. */
import { Component, type ComponentChildren } from "preact";
import { go } from "../route.ts";
import { t } from "../words.ts";
import { JoinByCode } from "./Landing.tsx";

interface TroubleProps {
  title: string;
  line: string;
  /** Other ways on than the first page. */
  children?: ComponentChildren;
}

export function Trouble({ title, line, children }: TroubleProps) {
  return (
    <main class="page gone">
      <section class="card-box">
        <h1>{title}</h1>
        <p>{line}</p>
        {children}
        <button type="button" class="btn primary" onClick={() => go("/")}>
          {t("to_lobby")}
        </button>
      </section>
    </main>
  );
}

/** An address that names nothing. */
export function NoPage() {
  return <Trouble title={t("no_such_page")} line={t("no_such_page_line")} />;
}

/** No such table, or one that the house has had to stop: another code may be right. */
export function NoTable({ stopped }: { stopped: boolean }) {
  return (
    <Trouble title={t(stopped ? "table_stopped" : "no_such_table")} line={t(stopped ? "table_stopped_line" : "no_such_table_line")}>
      <JoinByCode />
    </Trouble>
  );
}

/** A fault of ours does not leave an empty page. The game itself goes on at the house. */
export class Guard extends Component<{ children: ComponentChildren }, { broken: boolean }> {
  override state = { broken: false };

  static override getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <main class="page gone">
        <section class="card-box">
          <h1>{t("page_broken")}</h1>
          <p>{t("page_broken_line")}</p>
          <button type="button" class="btn primary" onClick={() => location.reload()}>
            {t("load_again")}
          </button>
        </section>
      </main>
    );
  }
}
