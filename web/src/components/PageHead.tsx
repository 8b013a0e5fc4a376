import type { ComponentChildren } from "preact";
import { t } from "../words.ts";
import { LanguageSwitch } from "./Settings.tsx";

interface PageHeadProps {
  /** Where its name leads to; nowhere on the first page itself. */
  to?: string;
  title?: string;
  /** What stands at the other end; the languages, where nothing else is wanted. */
  children?: ComponentChildren;
}

/** The head of every page that is not the felt. */
export function PageHead({ to = "/", title = t("brand"), children = <LanguageSwitch /> }: PageHeadProps) {
  return (
    <header class="page-head">
      {to ? (
        <a class="brand" href={to}>
          {title}
        </a>
      ) : (
        <span class="brand">{title}</span>
      )}
      {children}
    </header>
  );
}
