// A server of Andorra, and a browser that looks at it.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');

// The browser runs without a graphics card, and asks nobody of its own accord.
const flags = [
  '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

function run(command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: root, encoding: 'utf8', ...options });
  if (done.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${done.stderr || done.error}`);
  return done.stdout;
}

// open builds the command, unless FOURWAY names it, and its data, serves them, and
// starts the browser.
export async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'fourway-map-'));
  const program = process.env.FOURWAY ?? join(folder, 'fourway');
  if (!process.env.FOURWAY) run('go', ['build', '-o', program, './cmd/fourway'], { env: { ...process.env, CGO_ENABLED: '0' } });
  const osm = JSON.parse(run('go', ['mod', 'download', '-json', 'github.com/paulmach/osm'])).Dir;
  for (const [profile, name] of [['car', 'andorra'], ['foot', 'andorra-foot']]) {
    run(program, ['build', join(osm, 'testdata/andorra-latest.osm.bz2'), '--profile', profile, '--algorithm', 'mld', '-q', '-o', join(folder, name)]);
  }
  const server = spawn(program, [
    'serve', `car=${join(folder, 'andorra')}`, `foot=${join(folder, 'andorra-foot')}`, '--algorithm', 'mld', '--listen', '127.0.0.1:0', '--max-matching-size', '20',
  ], { stdio: ['ignore', 'ignore', 'pipe'] });
  const url = await new Promise((resolve, reject) => {
    let said = '';
    server.stderr.on('data', (chunk) => {
      said += chunk;
      const found = /on (http:\S+)/.exec(said);
      if (found) resolve(found[1] + '/');
    });
    server.on('exit', () => reject(new Error(`the server ended: ${said}`)));
  });
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: flags });
  return {
    url, browser,
    async close() {
      await browser.close();
      server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// visit opens the page at a link, and holds it to what every page is held to: it
// asks its own server alone, and nothing fails.
export async function visit(site, hash = '', options = {}) {
  const { expectErrors = false, ...rest } = options;
  const context = await site.browser.newContext({ viewport: { width: 1000, height: 640 }, reducedMotion: 'reduce', ...rest });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const faults = [];
  page.on('request', (r) => { if (!r.url().startsWith(site.url) && !/^(data|blob):/.test(r.url())) faults.push(`asks ${r.url()}`); });
  page.on('pageerror', (e) => faults.push(String(e)));
  page.on('console', (m) => { if (m.type() === 'error' && !expectErrors) faults.push(m.text()); });
  await page.goto(site.url + hash);
  await page.waitForFunction(() => globalThis.fourway?.map.map.isStyleLoaded());
  page.finish = async () => {
    await context.close();
    assert.deepEqual(faults, []);
  };
  return page;
}

// settled waits until the map shows all that it is to show.
export function settled(page) {
  return page.evaluate(() => new Promise((resolve) => {
    const { map } = globalThis.fourway.map;
    const done = () => (map.loaded() && !map.isMoving() ? resolve() : map.once('idle', done));
    done();
  }));
}

// point returns where a place is on the screen.
export function point(page, lon, lat) {
  return page.evaluate(([x, y]) => {
    const p = globalThis.fourway.map.map.project([x, y]);
    return { x: p.x, y: p.y };
  }, [lon, lat]);
}

export async function click(page, lon, lat) {
  const p = await point(page, lon, lat);
  await page.mouse.click(p.x, p.y);
}

export async function drag(page, from, to) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (let i = 1; i <= 5; i++) await page.mouse.move(from.x + ((to.x - from.x) * i) / 5, from.y + ((to.y - from.y) * i) / 5);
  await page.mouse.up();
}

// rendered returns the properties of what is drawn of a layer.
export async function rendered(page, ...layers) {
  await settled(page);
  return page.evaluate((ids) => globalThis.fourway.map.map.queryRenderedFeatures({ layers: ids }).map((f) => f.properties), layers);
}

// drawn waits until something of a layer is to be seen.
export function drawn(page, layer) {
  return told(page, `nothing of ${layer} is drawn`, page.waitForFunction((id) => {
    const { map } = globalThis.fourway.map;
    return map.getLayer(id) && map.queryRenderedFeatures({ layers: [id] }).length > 0;
  }, layer));
}

// status waits until the page says something.
export function status(page, text) {
  return told(page, `the page does not say ${text}`, page.locator('.status', { hasText: text }).waitFor());
}

// told adds what the page says to an error.
async function told(page, what, wait) {
  try {
    await wait;
  } catch (err) {
    throw new Error(`${what}, but "${await page.locator('.status').innerText()}"`, { cause: err });
  }
}
