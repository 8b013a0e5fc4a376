/** Short sounds made on the spot, and taps that the phone gives back. They follow what everybody sees, and nothing else. */
import { effect } from "@preact/signals";
import { noiseOf, type Noise } from "./changes.ts";
import { haptics, sound } from "./settings.ts";
import { happened, lookingBack } from "./store.ts";

/** Tones as [hertz, seconds after the beginning, seconds long]. */
const TONES: Record<Exclude<Noise, "card">, readonly (readonly [number, number, number])[]> = {
  word: [[392, 0, 0.07]],
  taken: [[294, 0, 0.09], [220, 0.07, 0.12]],
  turn: [[523, 0, 0.1], [659, 0.1, 0.16]],
  reveal: [[392, 0, 0.16], [494, 0.14, 0.16], [587, 0.28, 0.16], [784, 0.42, 0.4]],
  ended: [[587, 0, 0.14], [440, 0.13, 0.14], [523, 0.26, 0.34]],
};
/** Milliseconds of buzzing, and between. */
const BUZZES: Partial<Record<Noise, number[]>> = { turn: [30], reveal: [20, 60, 40], ended: [20] };
const LOUD = 0.09;

let context: AudioContext | null = null;
/** Browsers let a page sound only after a touch. */
function wake(): void {
  if (sound.value === "off" || typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
}

function tone(on: AudioContext, hertz: number, after: number, length: number): void {
  const [pitch, loudness] = [on.createOscillator(), on.createGain()];
  const start = on.currentTime + after;
  pitch.type = "triangle";
  pitch.frequency.value = hertz;
  loudness.gain.setValueAtTime(0, start);
  loudness.gain.linearRampToValueAtTime(LOUD, start + 0.01);
  loudness.gain.exponentialRampToValueAtTime(0.0005, start + length);
  pitch.connect(loudness).connect(on.destination);
  pitch.start(start);
  pitch.stop(start + length);
}

/** A card put on the felt: a breath of noise. */
function thud(on: AudioContext): void {
  const length = Math.floor(on.sampleRate * 0.06);
  const buffer = on.createBuffer(1, length, on.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 3;
  const [source, low, loudness] = [on.createBufferSource(), on.createBiquadFilter(), on.createGain()];
  source.buffer = buffer;
  low.type = "lowpass";
  low.frequency.value = 900;
  loudness.gain.value = LOUD * 3;
  source.connect(low).connect(loudness).connect(on.destination);
  source.start();
}

export function make(noise: Noise): void {
  const buzz = BUZZES[noise];
  if (haptics.value === "on" && buzz && !lookingBack.value) navigator.vibrate?.(buzz);
  if (sound.value === "off" || context?.state !== "running") return;
  if (noise === "card") return thud(context);
  for (const [hertz, after, length] of TONES[noise]) tone(context, hertz, after, length);
}

/** Listens to what happens at the table. */
export function listen(): void {
  addEventListener("pointerdown", wake);
  addEventListener("keydown", wake);
  effect(() => {
    const noises = happened.value.map(noiseOf).filter((noise) => noise !== null);
    const told = noises.at(-1);
    if (!told || document.hidden) return;
    if (noises.includes("reveal")) return make("reveal");
    if (told === "turn" && noises.length > 1) make(noises.at(-2)!);
    make(told);
  });
}
