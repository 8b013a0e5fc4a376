import { createHash } from "node:crypto";
import { cpSync, createReadStream, existsSync, readdirSync, readFileSync } from "node:fs";
import { join, normalize, relative, sep } from "node:path";
import { parse } from "smol-toml";
import { build, defineConfig, type Plugin } from "vite";

const here = import.meta.dirname;
const out = join(here, "../src/chiamata/client");

/** Serves web/decks as /decks while developing and copies it beside the built page: faces are loaded by name. */
function decks(): Plugin {
  const folder = join(here, "decks");
  return {
    name: "decks",
    configureServer(server) {
      server.middlewares.use("/decks", (request, response, next) => {
        const file = join(folder, normalize(decodeURIComponent(request.url ?? "/")));
        if (!file.startsWith(folder) || !file.endsWith(".svg") || !existsSync(file)) return next();
        response.setHeader("Content-Type", "image/svg+xml");
        createReadStream(file).pipe(response);
      });
    },
    closeBundle() {
      if (!existsSync(folder)) return;
      cpSync(folder, join(out, "decks"), {
        recursive: true,
        filter: (path) => !/\.(py|md)$/.test(path),
      });
    },
  };
}

/** What a phone needs to install the page, in each language: /app.it.webmanifest. */
function manifests(): Plugin {
  const made = ["en", "it"].map((language) => {
    const file = join(here, `../src/chiamata/locales/${language}.toml`);
    const { ui, app } = parse(readFileSync(file, "utf8")) as Record<string, Record<string, string>>;
    const icon = (src: string, sizes: string, purpose = "any") => ({ src, sizes, purpose, type: "image/png" });
    const manifest = {
      id: "/",
      start_url: "/",
      scope: "/",
      display: "standalone",
      lang: language,
      name: ui!["brand_long"],
      short_name: ui!["brand"],
      description: ui!["one_line"],
      theme_color: "#0b2820",
      background_color: "#0b2820",
      categories: ["games"],
      icons: [
        icon("/icon-192.png", "192x192"),
        icon("/icon-512.png", "512x512"),
        icon("/icon-maskable.png", "512x512", "maskable"),
      ],
      shortcuts: [{ name: app!["score_keeper"], url: "/score" }],
    };
    return { name: `app.${language}.webmanifest`, text: JSON.stringify(manifest) };
  });
  return {
    name: "manifests",
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const found = made.find(({ name }) => request.url === `/${name}`);
        if (!found) return next();
        response.setHeader("Content-Type", "application/manifest+json");
        response.end(found.text);
      });
    },
    generateBundle() {
      for (const { name, text } of made) this.emitFile({ type: "asset", fileName: name, source: text });
    },
  };
}

/** The service worker, which is told the names of all that was built and a hash over it. */
function worker(): Plugin {
  const files = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `/${relative(out, join(entry.parentPath, entry.name)).split(sep).join("/")}`)
      .sort();
  const digest = (paths: string[]) => {
    const total = createHash("sha256");
    for (const path of paths) total.update(path).update("\0").update(readFileSync(join(out, path)));
    return total.digest("hex").slice(0, 16);
  };
  return {
    name: "worker",
    async closeBundle() {
      const faces = files(join(out, "decks")).filter((path) => path.endsWith(".svg"));
      const parts = files(join(out, "assets"));
      const define = {
        BUILD: digest(["/index.html", "/old.js", ...parts]),
        PARTS: ["/", "/icon.svg", "/old.js", ...parts],
        DECKS: digest(faces),
        FACES: faces,
      };
      await build({
        configFile: false,
        root: here,
        publicDir: false,
        logLevel: "warn",
        define: Object.fromEntries(Object.entries(define).map(([name, value]) => [name, JSON.stringify(value)])),
        build: {
          outDir: out,
          emptyOutDir: false,
          target: "es2022",
          rolldownOptions: {
            input: join(here, "worker/worker.ts"),
            output: { format: "iife", entryFileNames: "worker.js" },
          },
        },
      });
    },
  };
}

// What is built is always for use, whatever the environment says: development code would name this machine's folders.
if (process.argv.includes("build")) process.env["NODE_ENV"] = "production";

export default defineConfig({
  root: here,
  plugins: [decks(), manifests(), worker()],
  build: {
    outDir: out,
    emptyOutDir: true,
    target: "es2022",
    // A strict content policy allows no data: address, and one small page needs no preload helper.
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: true,
  },
  server: {
    proxy: {
      "/api": "http://127.0.0.1:8000",
      "/ws": { target: "ws://127.0.0.1:8000", ws: true },
    },
  },
});
