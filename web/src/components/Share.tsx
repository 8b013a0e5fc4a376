/** The way to a table: code, link and a square to photograph. */
import { useMemo, useState } from "preact/hooks";
import { encode } from "uqr";
import { copyText } from "../copy.ts";
import { tableLink } from "../route.ts";
import { t } from "../words.ts";
import { Icon } from "./Icon.tsx";

export function Share({ code }: { code: string }) {
  const link = tableLink(code);
  return (
    <div class="share">
      <Square text={link} />
      <div class="share-words">
        <p class="share-code">
          <span class="hidden">{t("code_spelled", { code: [...code].join(" ") })}</span>
          <span aria-hidden="true">{code}</span>
        </p>
        <CopyLink link={link} />
      </div>
    </div>
  );
}

function CopyLink({ link }: { link: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await copyText(link);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <div class="copy-line">
      <input readOnly value={link} aria-label={t("link")} onFocus={(event) => event.currentTarget.select()} />
      <button type="button" class="btn" onClick={copy}>
        <Icon name={copied ? "check" : "copy"} />
        <span aria-live="polite">{t(copied ? "copied" : "copy")}</span>
      </button>
    </div>
  );
}

/** A QR code as one path. */
function Square({ text }: { text: string }) {
  const { size, d } = useMemo(() => {
    const { data, size } = encode(text, { ecc: "M", border: 2 });
    const d = data.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")).join("")).join("");
    return { size, d };
  }, [text]);
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={t("qr")} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={d} fill="#111" />
    </svg>
  );
}
