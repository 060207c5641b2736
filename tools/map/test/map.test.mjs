import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { click, drag, drawn, open, point, rendered, settled, status, visit } from './site.mjs';

// Places in Andorra.
const capital = [1.5211, 42.5078], encamp = [1.5828, 42.5361], ordino = [1.5332, 42.5563], south = [1.4913, 42.4637];
const p = (...places) => 'p=' + places.map(([x, y]) => `${x},${y}`).join(';');
const view = 'map=11.5/42.5150/1.5200';

let site;
before(async () => { site = await open(); });
after(() => site?.close());

const param = (page, name) => page.evaluate((n) => new URLSearchParams(location.hash.slice(1)).get(n), name);
const setting = (page, name) => page.locator(`[data-name=${name}]`);
const inputs = (page) => page.locator('.place-list input');

test('a route by clicks: start, end, and on', async () => {
  const page = await visit(site, `#${view}`);
  await settled(page);
  assert.ok((await rendered(page, 'primary', 'secondary')).length > 0, 'streets are drawn');
  await click(page, ...capital);
  await status(page, 'Click where it ends');
  await click(page, ...encamp);
  await status(page, /route|km/);
  await drawn(page, 'route');
  assert.equal(await page.locator('.pin').count(), 2);
  assert.match(await page.locator('.steps .sentence').first().innerText(), /Start out/);
  assert.match(await page.locator('.steps .sentence').last().innerText(), /arrive|reached|destination/i);
  assert.equal((await param(page, 'p')).split(';').length, 2);
  await click(page, ...ordino);
  await page.waitForFunction(() => document.querySelectorAll('.steps h3').length === 2);
  assert.deepEqual(await page.locator('.pin-body').allInnerTexts(), ['A', 'B', 'C']);
  await page.getByRole('button', { name: 'Remove Via 1' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.pin').length === 2);
  await page.getByRole('button', { name: 'Clear' }).click();
  await status(page, 'Click the map where the route starts');
  assert.equal((await rendered(page, 'route')).length, 0);
  await page.finish();
});

test('pins are dragged', async () => {
  const page = await visit(site, `#${p(capital, encamp)}&${view}`);
  await drawn(page, 'route');
  const before = await page.locator('.card, .status.found').first().innerText();
  const from = await point(page, ...encamp), to = await point(page, ...ordino);
  await drag(page, { x: from.x, y: from.y - 20 }, { x: to.x, y: to.y - 20 });
  await page.waitForFunction((old) => document.querySelector('.card, .status.found').innerText !== old, before);
  const [, lat] = (await param(page, 'p')).split(';')[1].split(',').map(Number);
  assert.ok(Math.abs(lat - ordino[1]) < 0.003, 'the end is where it was dropped');
  await page.finish();
});

// middleOfRoute returns where the route is on the screen.
function middleOfRoute(page) {
  return page.evaluate(() => {
    const { map } = globalThis.fourway.map;
    const line = map.queryRenderedFeatures({ layers: ['route'] })[0].geometry.coordinates.flat(Infinity);
    const i = Math.floor(line.length / 4) * 2, at = map.project([line[i], line[i + 1]]);
    return { x: at.x, y: at.y };
  });
}

test('a via is dragged out of the line', async () => {
  const page = await visit(site, `#${p(capital, encamp)}&alternatives=0&${view}`);
  await drawn(page, 'route');
  await settled(page);
  await drag(page, await middleOfRoute(page), await point(page, ...ordino));
  await page.waitForFunction(() => document.querySelectorAll('.pin').length === 3 && document.querySelectorAll('.steps h3').length === 2);
  assert.equal(await inputs(page).count(), 3);
  assert.equal((await param(page, 'p')).split(';').length, 3);
  await page.finish();
});

test('alternatives are shown and chosen', async () => {
  // Whether there is an alternative is up to the search: here it is the way by Ordino.
  const page = await visit(site);
  await page.route(/alternatives=3/, async (route) => {
    const url = route.request().url().replace('&alternatives=3', '');
    const ask = async (u) => (await route.fetch({ url: u })).json();
    const [direct, other] = await Promise.all([ask(url), ask(url.replace(';', `;${ordino.join()};`))]);
    await route.fulfill({ json: { ...direct, routes: [...direct.routes, ...other.routes] } });
  });
  await page.evaluate((h) => { location.hash = h; }, `#${p(south, encamp)}&alternatives=3`);
  await page.locator('.card').nth(1).waitFor();
  await drawn(page, 'other');
  await page.locator('.card').nth(1).click();
  assert.equal(await page.locator('.card').nth(1).getAttribute('aria-pressed'), 'true');
  assert.equal(await param(page, 'alternative'), '1');
  // A click on the grey line takes that one.
  await settled(page);
  const at = await page.evaluate(() => {
    const { map } = globalThis.fourway.map;
    for (const f of map.queryRenderedFeatures({ layers: ['other'] })) {
      for (const c of f.geometry.type === 'LineString' ? f.geometry.coordinates : f.geometry.coordinates.flat()) {
        const q = map.project(c);
        if (q.x > 420 && q.x < 900 && q.y > 20 && q.y < 620 && map.queryRenderedFeatures([[q.x - 12, q.y - 12], [q.x + 12, q.y + 12]], { layers: ['route'] }).length === 0) return { x: q.x, y: q.y };
      }
    }
    return undefined;
  });
  assert.ok(at, 'the other route is to be seen');
  await page.mouse.click(at.x, at.y);
  await page.waitForFunction(() => document.querySelectorAll('.card')[1].getAttribute('aria-pressed') === 'false');
  assert.equal(await page.locator('.pin').count(), 2, 'no place was added');
  await page.finish();
});

test('a table, and the way of a cell', async () => {
  const page = await visit(site, `#mode=table&${p(capital, encamp, ordino)}`);
  await page.locator('.matrix td button').nth(5).waitFor();
  assert.equal(await page.locator('.matrix tbody tr').count(), 3);
  assert.match(await page.locator('.matrix td button').first().innerText(), /min/);
  await setting(page, 'cell').selectOption('distance');
  await page.locator('.matrix td button', { hasText: 'km' }).first().waitFor();
  await page.locator('.matrix td button').nth(1).click();
  await drawn(page, 'route');
  await page.finish();
});

test('a trip in the best order', async () => {
  const page = await visit(site, `#mode=trip&${p(south, encamp, capital, ordino)}`);
  await drawn(page, 'route');
  await page.waitForFunction(() => document.querySelector('.pin-body').textContent === '1');
  assert.deepEqual((await page.locator('.pin-body').allInnerTexts()).toSorted(), ['1', '2', '3', '4']);
  assert.equal(await page.locator('.steps h3').count(), 4);
  await page.getByLabel('Come back to the first place').uncheck();
  await page.waitForFunction(() => document.querySelectorAll('.steps h3').length === 3);
  assert.equal(await param(page, 'roundtrip'), 'false');
  await page.finish();
});

// traceOf returns points along a route, some meters beside it.
async function traceOf(page, from, to) {
  return page.evaluate(async ([a, b]) => {
    const answer = await (await fetch(`route/v1/car/${a};${b}?overview=full&geometries=geojson`)).json();
    const line = answer.routes[0].geometry.coordinates, step = Math.max(1, Math.floor(line.length / 45));
    return line.filter((_, i) => i % step === 0).map(([x, y]) => [x + 0.00002, y - 0.00002]);
  }, [from.join(), to.join()]);
}

// drop drops a file on the page.
async function drop(page, name, text) {
  const data = await page.evaluateHandle(([n, t]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([t], n));
    return transfer;
  }, [name, text]);
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('body', type, { dataTransfer: data });
}

test('a dropped GPX file is matched', async () => {
  const page = await visit(site, `#${view}`);
  const points = await traceOf(page, capital, encamp);
  assert.ok(points.length > 20, 'more than the server takes at once');
  const gpx = points.map(([x, y], i) => `<trkpt lat="${y}" lon="${x}"><time>2026-11-30T12:${String(Math.floor(i / 2)).padStart(2, '0')}:${i % 2 ? '30' : '00'}Z</time></trkpt>`);
  await drop(page, 'ride.gpx', `<gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>${gpx.join('')}</trkseg></trk></gpx>`);
  await status(page, 'matched');
  assert.match(await page.locator('.places').innerText(), new RegExp(`ride.gpx: ${points.length} points`));
  assert.match(await page.locator('.list').innerText(), /confidence \d+ %/);
  await drawn(page, 'route');
  await drawn(page, 'trace-points');
  await page.getByRole('button', { name: 'Close the file' }).click();
  await status(page, 'Drop a GPX or GeoJSON file');
  await page.finish();
});

test('points that no road fits are shown, and files that are no traces', async () => {
  const page = await visit(site, `#mode=match&${view}`, { expectErrors: true });
  const points = (await traceOf(page, capital, encamp)).slice(0, 12);
  points.splice(6, 0, [1.60, 42.62]);
  await page.setInputFiles('input[type=file]', {
    name: 'walk.geojson', mimeType: 'application/geo+json',
    buffer: Buffer.from(JSON.stringify({ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates: points } })),
  });
  await status(page, 'left out');
  await page.locator('.hint', { hasText: 'Points in red were left out' }).waitFor();
  for (const [text, want] of [['nonsense', 'neither GPX nor GeoJSON'], ['{"type":"Point","coordinates":[1.5,42.5]}', 'holds no trace'], ['<gpx/>', 'holds no trace']]) {
    await drop(page, 'file', text);
    await status(page, want);
  }
  await page.finish();
});

test('the nearest roads', async () => {
  const page = await visit(site, `#mode=nearest&map=16/${capital[1]}/${capital[0]}`);
  await click(page, ...capital);
  await page.locator('.list li').nth(2).waitFor();
  await drawn(page, 'dots');
  await setting(page, 'number').selectOption('10');
  await page.locator('.list li').nth(9).waitFor();
  await click(page, capital[0] + 0.001, capital[1]);
  await page.waitForFunction((x) => !location.hash.includes(`p=${x}`), capital[0]);
  assert.equal(await page.locator('.pin').count(), 1);
  await page.finish();
});

test('what can be reached', async () => {
  const page = await visit(site, `#mode=isochrone&${p(capital)}&contours=3,6`);
  await drawn(page, 'contour-fill');
  assert.deepEqual([...new Set((await rendered(page, 'contour-fill')).map((f) => f.rank))].toSorted(), [0, 1]);
  assert.deepEqual(await page.locator('.legend li').allInnerTexts(), ['3 min', '6 min']);
  await setting(page, 'shape').selectOption('lines');
  await page.waitForFunction(() => globalThis.fourway.map.map.queryRenderedFeatures({ layers: ['contour-fill'] }).length === 0);
  await drawn(page, 'contour-line');
  await setting(page, 'shape').selectOption('segments');
  await page.waitForFunction(() => globalThis.fourway.map.map.queryRenderedFeatures({ layers: ['contour-line'] }).length > 100);
  await page.getByLabel('On the way here').check();
  await status(page, 'From where one gets here');
  await setting(page, 'contour').selectOption('meters');
  await setting(page, 'contours').fill('1000 2500');
  await setting(page, 'contours').press('Enter');
  await page.locator('.legend li', { hasText: '2.5 km' }).waitFor();
  await setting(page, 'contours').fill('x');
  await setting(page, 'contours').press('Enter');
  await status(page, 'Write the contours as numbers');
  await page.finish();
});

test('what the search sees', async () => {
  const page = await visit(site, `#mode=debug&map=14/${capital[1]}/${capital[0]}`);
  await drawn(page, 'debug-speeds');
  assert.ok((await rendered(page, 'debug-speeds')).every((f) => f.speed >= 0));
  await settled(page);
  const road = await page.evaluate(() => {
    const { map } = globalThis.fourway.map;
    const [f] = map.queryRenderedFeatures([[500, 100], [900, 500]], { layers: ['debug-speeds'] });
    const q = map.project(f.geometry.coordinates.flat(f.geometry.type === 'LineString' ? 0 : 1)[0]);
    return { x: q.x, y: q.y };
  });
  await page.mouse.move(road.x, road.y);
  await page.locator('.properties dt', { hasText: 'speed' }).waitFor();
  await setting(page, 'layer').selectOption('components');
  await drawn(page, 'debug-components');
  await setting(page, 'layer').selectOption('cells');
  await drawn(page, 'debug-cells');
  const cells = async () => new Set((await rendered(page, 'debug-cells')).map((f) => JSON.stringify([f.cell_1, f.cell_2]))).size;
  assert.ok(await cells() > 1);
  await setting(page, 'layer').selectOption('turns');
  await page.locator('.explanation', { hasText: 'Zoom in' }).waitFor();
  await page.evaluate(() => globalThis.fourway.map.map.jumpTo({ zoom: 16 }));
  await drawn(page, 'debug-turns');
  assert.equal(await page.locator('.pin').count(), 0);
  await page.getByRole('tab', { name: 'Route' }).click();
  await page.waitForFunction(() => !globalThis.fourway.map.map.getSource('debug'));
  await page.finish();
});

test('links hold all that is shown', async () => {
  const hash = `#mode=table&profile=foot&${p(capital, ordino)}&cell=distance&map=12.30/42.53000/1.53000`;
  const page = await visit(site, hash);
  await page.locator('.matrix td button', { hasText: 'km' }).first().waitFor();
  assert.equal(await page.getByLabel('Profile', { exact: true }).inputValue(), 'foot');
  const shown = await page.evaluate(() => globalThis.fourway.map.view());
  assert.ok(Math.abs(shown.zoom - 12.3) < 0.01 && Math.abs(shown.lat - 42.53) < 1e-4);
  // What the page makes of it leads to the same.
  const again = await page.evaluate(() => location.hash);
  await page.evaluate((h) => { location.hash = h; }, `#mode=route&profile=car&${p(capital, encamp)}`);
  await drawn(page, 'route');
  assert.equal(await page.getByLabel('Profile', { exact: true }).inputValue(), 'car');
  assert.equal(await page.title(), 'Route · Fourway');
  await page.evaluate((h) => { location.hash = h; }, again);
  await page.locator('.matrix td button', { hasText: 'km' }).first().waitFor();
  // What makes no sense is left out.
  await page.evaluate(() => { location.hash = '#mode=fly&profile=ufo&p=1,2,3;x;400,1;1.5,42.5&map=99/x'; });
  await status(page, 'Click where it ends');
  assert.equal(await page.locator('.pin').count(), 1);
  await page.finish();
});

test('avoiding classes of roads, and other profiles', async () => {
  const page = await visit(site, `#${p(south, encamp)}&alternatives=0`);
  await drawn(page, 'route');
  const before = await page.locator('.status').innerText();
  await page.getByText('Options', { exact: true }).click();
  await page.getByLabel('motorway').check();
  await page.waitForFunction(() => location.hash.includes('exclude=motorway'));
  await page.getByLabel('Profile', { exact: true }).selectOption('foot');
  await page.waitForFunction((old) => { const now = document.querySelector('.status').textContent; return now !== old && /h/.test(now); }, before);
  assert.equal(await param(page, 'exclude'), null, 'another profile has other classes');
  assert.equal(await param(page, 'profile'), 'foot');
  await setting(page, 'language').selectOption('de');
  await page.locator('.steps .sentence', { hasText: /Starten|Start|Fahren|Losfahren|Richtung/ }).first().waitFor();
  await page.finish();
});

test('dark as the browser prefers, and as one chooses', async () => {
  const page = await visit(site, `#${view}`, { colorScheme: 'dark' });
  const ground = () => page.evaluate(() => globalThis.fourway.map.map.getPaintProperty('ground', 'background-color'));
  const panel = () => page.evaluate(() => getComputedStyle(document.querySelector('.panel')).backgroundColor);
  const dark = [await ground(), await panel()];
  await page.getByRole('button', { name: 'Light mode' }).click();
  const light = [await ground(), await panel()];
  assert.notDeepEqual(light, dark);
  await page.reload();
  await page.waitForFunction(() => globalThis.fourway?.map.map.isStyleLoaded());
  assert.deepEqual([await ground(), await panel()], light, 'the choice is kept');
  await page.finish();

  const other = await visit(site, `#${view}`, { colorScheme: 'light' });
  await other.emulateMedia({ colorScheme: 'dark' });
  await other.waitForFunction((c) => globalThis.fourway.map.map.getPaintProperty('ground', 'background-color') === c, dark[0]);
  await other.finish();
});

test('on a phone', async () => {
  const page = await visit(site, `#${p(capital, encamp)}`, { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1 });
  await drawn(page, 'route');
  await settled(page);
  const box = await page.locator('.panel').boundingBox();
  assert.ok(box.x === 0 && Math.abs(box.width - 390) < 1 && Math.abs(box.y + box.height - 780) < 1, 'the panel is a sheet at the bottom');
  for (const place of [capital, encamp]) {
    const at = await point(page, ...place);
    assert.ok(at.x > 0 && at.x < 390 && at.y > 0 && at.y < box.y, 'places are to be seen above the sheet');
  }
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390), 'nothing is cut off');
  const handle = page.getByRole('button', { name: 'Make the panel higher or lower' });
  await handle.tap();
  await page.waitForFunction((h) => document.querySelector('.panel').getBoundingClientRect().height > h + 100, box.height);
  await handle.tap();
  await page.waitForFunction(() => document.querySelector('.panel').getBoundingClientRect().height < 200);
  // A tap sets a place; a finger that rests opens the menu.
  await page.touchscreen.tap(100, 500);
  await page.waitForFunction(() => document.querySelectorAll('.pin').length === 3);
  await page.finish();
});

test('with the keyboard alone', async () => {
  const page = await visit(site, `#${view}`);
  await inputs(page).first().focus();
  await page.keyboard.type('nowhere');
  await page.keyboard.press('Enter');
  await page.locator('.hint', { hasText: 'latitude, longitude' }).waitFor();
  await page.keyboard.press('Control+A');
  await page.keyboard.type(`${capital[1]}, ${capital[0]}`);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.getAttribute('aria-label')?.startsWith('End'));
  await page.keyboard.type(`${encamp[1]} ${encamp[0]}`);
  await page.keyboard.press('Enter');
  await drawn(page, 'route');
  // Pins move and go.
  await page.locator('.pin').nth(1).focus();
  const before = await param(page, 'p');
  await page.keyboard.press('ArrowUp');
  await page.waitForFunction((old) => new URLSearchParams(location.hash.slice(1)).get('p') !== old, before);
  await page.keyboard.press('Delete');
  await page.waitForFunction(() => document.querySelectorAll('.pin').length === 1);
  // The map takes a place in its middle.
  await page.locator('canvas').focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelectorAll('.pin').length === 2);
  // Modes are tabs.
  await page.getByRole('tab', { name: 'Route' }).focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await param(page, 'mode'), 'table');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.mode), 'table');
  await page.keyboard.press('End');
  assert.equal(await param(page, 'mode'), 'debug');
  // All that can be used can be reached, and says what it is.
  await page.keyboard.press('Home');
  const seen = [];
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate(() => {
      const e = document.activeElement;
      return e === document.body ? '' : e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent;
    });
    if (name === '') break;
    seen.push(name.trim());
  }
  for (const want of [/^Start/, /^End/, /Options/, /Zoom in/, /Show all/, /Licenses/]) {
    assert.ok(seen.some((name) => want.test(name)), `${want} among ${seen}`);
  }
  assert.ok(!seen.includes(''), 'each has a name');
  await page.finish();
});

test('the menu of a place', async () => {
  const page = await visit(site, `#${p(capital, encamp)}&${view}`);
  await drawn(page, 'route');
  const at = await point(page, ...ordino);
  await page.mouse.click(at.x, at.y, { button: 'right' });
  await page.getByRole('menuitem', { name: 'Via here' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.pin').length === 3);
  await page.mouse.click(at.x + 30, at.y, { button: 'right' });
  await page.keyboard.press('Escape');
  await page.locator('.menu').waitFor({ state: 'detached' });
  assert.equal(await page.locator('.pin').count(), 3);
  await page.finish();
});

test('keeping away from a place and from ways', async () => {
  const page = await visit(site, `#${p(capital, encamp)}&alternatives=0&${view}`, { expectErrors: true });
  await drawn(page, 'route');
  await settled(page);
  const before = await page.locator('.status').innerText();
  const middle = await middleOfRoute(page);
  await page.mouse.click(middle.x, middle.y, { button: 'right' });
  await page.getByRole('menuitem', { name: 'Keep away from here' }).click();
  await drawn(page, 'avoided-fill');
  await page.waitForFunction((old) => { const s = document.querySelector('.status'); return s.textContent !== old && /km/.test(s.textContent); }, before);
  const around = await page.locator('.status').innerText();
  await page.getByText('Options', { exact: true }).click();
  await page.getByRole('button', { name: 'Forget' }).click();
  await page.waitForFunction((old) => document.querySelector('.status').textContent === old, before);
  assert.notEqual(around, before);
  const ways = await page.evaluate(async ([a, b]) => {
    const answer = await (await fetch(`isochrone/v1/car/${a}?contours_meters=60&segments=true`)).json();
    return [...new Set(answer.features.flatMap((f) => f.properties.ways ?? []))].map(Math.abs).join();
  }, [encamp.join()]);
  await setting(page, 'ways').fill(ways);
  await setting(page, 'ways').press('Enter');
  await status(page, 'No route found'); // all around the end is closed
  await page.finish();
});

test('a server that does not answer', async () => {
  const page = await visit(site, `#${view}`, { expectErrors: true });
  await page.route('**/route/v1/**', (route) => route.abort());
  await click(page, ...capital);
  await click(page, ...encamp);
  await status(page, 'The server does not answer.');
  await page.unroute('**/route/v1/**');
  await page.route('**/route/v1/**', (route) => route.fulfill({ status: 400, contentType: 'application/json', body: '{"code":"NoRoute","message":"Impossible"}' }));
  await page.getByRole('button', { name: 'Reverse' }).click();
  await status(page, 'Impossible');
  await page.finish();
});
