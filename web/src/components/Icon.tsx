/** Line drawings for buttons. */
const PATHS = {
  menu: "M4 6h16M4 12h16M4 18h16",
  scores: "M4 20V10m5.3 10V4m5.4 16v-7m5.3 7V8",
  last: "M4 12a8 8 0 1 0 2.6-5.900M4 4v4.500h4.5",
  close: "M6 6l12 12M18 6 6 18",
  copy: "M9 9h10v11H9zM5 15V4h10",
  key: "M14.5 9.500a4 4 0 1 0-3.2 3.900L13 15h2v2h2v2h3v-3l-5.7-5.4",
  star: "M12 3.500l2.6 5.4 5.9.8-4.3 4.1 1.1 5.900L12 16.900l-5.3 2.8 1.1-5.900L3.5 9.700l5.9-.8z",
  bot: "M6 9h12v9H6zM12 5v4M9.5 13v1M14.5 13v1M3.5 12v3M20.5 12v3",
  back: "M10 5 3.5 12 10 19M4 12h16",
  check: "M5 12.500l5 5 9-11",
  play: "M8 5v14l11-7z",
  pause: "M8.500 5v14M15.500 5v14",
  on: "M9 5l7 7-7 7",
  off: "M15 5l-7 7 7 7",
  last_step: "M6 5l7 7-7 7M18 5v14",
  first_step: "M18 5l-7 7 7 7M6 5v14",
  share: "M12 15V4M8 7.500 12 3.500l4 4M6 12v8h12v-8",
  speak: "M5 5h14v10h-7l-4 4v-4H5z",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.500v5M9 14.500v5",
  bulb: "M9 17.500h6M10 20.500h4M9.500 14.500c-2-1.300-3-3-3-5a5.500 5.500 0 0 1 11 0c0 2-1 3.700-3 5z",
  eye: "M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12zM12 9.200a2.8 2.8 0 1 1 0 5.600 2.8 2.8 0 0 1 0-5.600",
  send: "M4 11.500 20 4l-5.500 16-3-6.500zM11.500 13.500 20 4",
  picture: "M4 5h16v14H4zM4 16.500l5-5 4 4 2.500-2.500 4.500 4.500M15.500 9h.01",
  embed: "M8.500 7l-5 5 5 5M15.500 7l5 5-5 5",
  timeline: "M4 4v16h16M7.500 15l4-5 3.500 3 5-7",
  moon: "M19 14.500A8 8 0 0 1 9.5 5 8 8 0 1 0 19 14.500z",
} as const;

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
