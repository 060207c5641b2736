// Builds the map page into httpapi/mappage/dist: each file compressed by gzip, as
// it is embedded and served. With --check it compares instead, and fails if what
// is committed is not what the sources build.
import { build } from 'esbuild';
import { gunzipSync, gzipSync } from 'node:zlib';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, '../../httpapi/mappage/dist');
const modules = join(here, 'node_modules');

// bundle returns what esbuild makes of a file.
async function bundle(entry, options = {}) {
  const result = await build({
    entryPoints: [join(here, entry)], bundle: true, minify: true, write: false, target: 'es2022',
    legalComments: 'none', charset: 'utf8', logLevel: 'warning', ...options,
  });
  return result.outputFiles[0].text;
}

// apart keeps MapLibre, which changes less often, out of the page's own script.
const apart = {
  name: 'apart',
  setup: (b) => b.onResolve({ filter: /^maplibre-gl$/ }, () => ({ path: './maplibre.js', external: true })),
};

// licenses joins the notices of the packages that end up in the page: MapLibre, and
// what MapLibre's bundle is made of.
function licenses() {
  const lock = JSON.parse(readFileSync(join(here, 'package-lock.json'), 'utf8'));
  const shipped = Object.entries(lock.packages).filter(([path, p]) => path && !p.dev && !path.includes('@types/'));
  const notices = [];
  for (const [path, p] of shipped) {
    const name = path.replace(/^.*node_modules\//, '');
    const folder = join(here, path);
    const file = readdirSync(folder).find((f) => /^(licen[cs]e|copying)/i.test(f));
    const text = file ? readFileSync(join(folder, file), 'utf8') : `License: ${p.license}`;
    notices.push(`${name} ${p.version} (${p.license})\n\n${text.replaceAll('\r\n', '\n').trim()}\n`);
  }
  return `The map page of Fourway contains these packages.\n\n${notices.join('\n' + '-'.repeat(80) + '\n\n')}`;
}

const source = (name) => readFileSync(join(here, 'src', name), 'utf8');

const files = {
  'index.html': source('index.html'),
  'icon.svg': source('icon.svg'),
  'app.js': await bundle('src/main.ts', { format: 'esm', plugins: [apart] }),
  'app.css': await bundle('src/app.css'),
  'maplibre.js': await bundle('node_modules/maplibre-gl/dist/maplibre-gl-csp.js', { format: 'esm' }),
  'worker.js': readFileSync(join(modules, 'maplibre-gl/dist/maplibre-gl-csp-worker.js'), 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'),
  'licenses.txt': licenses(),
};

if (process.argv.includes('--check')) {
  const committed = readdirSync(dist).sort().join();
  const built = Object.keys(files).map((name) => name + '.gz').sort().join();
  const stale = committed !== built ? [committed] : Object.keys(files).filter(
    (name) => gunzipSync(readFileSync(join(dist, name + '.gz'))).toString() !== files[name]);
  if (stale.length > 0) {
    console.error(`httpapi/mappage/dist is not what tools/map builds (${stale}): run npm run build there, and commit it`);
    process.exit(1);
  }
} else {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  let whole = 0, packed = 0;
  for (const [name, text] of Object.entries(files)) {
    const compressed = gzipSync(text, { level: 9 });
    compressed[9] = 255; // the operating system, which does not count
    writeFileSync(join(dist, name + '.gz'), compressed);
    whole += Buffer.byteLength(text);
    packed += compressed.length;
  }
  console.log(`${whole} bytes, compressed ${packed}`);
}
