// Drives Chromium through its debugging pipe, without packages: JSON messages that end in a NUL.
'use strict';

const {spawn} = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

class Chrome {
  constructor(program) {
    this.profile = fs.mkdtempSync(path.join(os.tmpdir(), 'nsyscope-chrome-'));
    this.child = spawn(program, ['--headless=new', '--no-sandbox', '--disable-gpu',
      '--disable-dev-shm-usage', '--disable-quic', '--no-first-run', '--hide-scrollbars',
      '--disable-background-networking', '--disable-component-update', '--disable-sync',
      '--remote-debugging-pipe',
      `--user-data-dir=${this.profile}`, 'about:blank'],
    {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], detached: true,
      env: {...process.env, HOME: this.profile}});
    this.ended = new Promise((resolve) => this.child.on('exit', resolve));
    this.waiting = new Map();
    this.last = 0;
    this.rest = '';
    this.events = [];
    this.child.stdio[4].setEncoding('utf8');
    this.child.stdio[4].on('data', (text) => this.take(text));
    this.child.on('exit', () => {
      for (const {reject} of this.waiting.values())
        reject(new Error('Chromium has ended'));
    });
  }

  take(text) {
    const parts = (this.rest + text).split('\0');

    this.rest = parts.pop();
    for (const part of parts) {
      const message = JSON.parse(part);
      const waiting = this.waiting.get(message.id);

      if (!waiting) {
        this.events.push(message);
        continue;
      }
      this.waiting.delete(message.id);
      if (message.error)
        waiting.reject(new Error(JSON.stringify(message.error)));
      else
        waiting.resolve(message.result);
    }
  }

  send(method, params, sessionId) {
    const id = ++this.last;

    this.child.stdio[3].write(`${JSON.stringify({id, method, params: params || {}, sessionId})}\0`);
    return new Promise((resolve, reject) => this.waiting.set(id, {resolve, reject}));
  }

  // Opens a page of this size and waits until it is loaded.
  async open(url, width, height, scheme) {
    const {targetId} = await this.send('Target.createTarget', {url: 'about:blank'});
    const {sessionId} = await this.send('Target.attachToTarget', {targetId, flatten: true});
    const page = new Page(this, sessionId);

    await page.send('Page.enable');
    await page.send('Runtime.enable');
    await page.send('Log.enable');
    await page.send('Emulation.setDeviceMetricsOverride',
      {width, height, deviceScaleFactor: 1, mobile: width < 600});
    await page.send('Emulation.setEmulatedMedia',
      {features: [{name: 'prefers-color-scheme', value: scheme || 'dark'}]});
    await page.send('Page.navigate', {url});
    await page.until('document.readyState === "complete"');
    return page;
  }

  // Closes the browser and waits for its processes, which could still write into the profile.
  async close() {
    this.send('Browser.close').catch(() => {});
    await Promise.race([this.ended, new Promise((resolve) => setTimeout(resolve, 10000).unref())]);
    try {
      process.kill(-this.child.pid, 'SIGKILL');
    } catch {
      // all have ended
    }
    for (let tries = 0; ; tries++) {
      try {
        fs.rmSync(this.profile, {recursive: true, force: true});
        return;
      } catch (error) {
        if (tries === 100)
          throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

class Page {
  constructor(chrome, sessionId) {
    this.chrome = chrome;
    this.sessionId = sessionId;
  }

  send(method, params) {
    return this.chrome.send(method, params, this.sessionId);
  }

  // Returns the value of an expression in the page; awaits promises.
  async value(expression) {
    const {result, exceptionDetails} = await this.send('Runtime.evaluate',
      {expression, returnByValue: true, awaitPromise: true});

    if (exceptionDetails)
      throw new Error(exceptionDetails.exception ? exceptionDetails.exception.description
        : exceptionDetails.text);
    return result.value;
  }

  // Waits until the expression is true, at most 20 s.
  async until(expression) {
    for (let i = 0; i < 400; i++) {
      if (await this.value(expression))
        return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`never true: ${expression}`);
  }

  // Waits for work that the page delays, and for the next frame. The page comes to the front: a hidden page draws no frames.
  async settle() {
    await this.send('Page.bringToFront');
    await this.value('new Promise((done) => setTimeout(() => requestAnimationFrame(' +
      '() => done(true)), 120))');
  }

  async key(key, options) {
    const text = key.length === 1 ? key : undefined;
    const codes = {ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Tab: 9, Enter: 13,
      Escape: 27, Home: 36, End: 35, F6: 117};

    await this.send('Input.dispatchKeyEvent', {type: 'keyDown', key, text,
      windowsVirtualKeyCode: codes[key], ...options});
    await this.send('Input.dispatchKeyEvent', {type: 'keyUp', key, ...options});
    await this.settle();
  }

  mouse(type, x, y, options) {
    return this.send('Input.dispatchMouseEvent', {type, x, y, button: 'left', clickCount: 1,
      ...options});
  }

  async click(x, y) {
    await this.mouse('mousePressed', x, y, {buttons: 1});
    await this.mouse('mouseReleased', x, y);
    await this.settle();
  }

  async screenshot(file) {
    const {data} = await this.send('Page.captureScreenshot', {format: 'png'});

    fs.writeFileSync(file, Buffer.from(data, 'base64'));
  }

  // Returns console errors, exceptions, and requests that the policy refused.
  errors() {
    return this.chrome.events.filter((event) => event.sessionId === this.sessionId &&
      (event.method === 'Runtime.exceptionThrown' ||
       (event.method === 'Runtime.consoleAPICalled' && ['error', 'warning'].includes(event.params.type)) ||
       (event.method === 'Log.entryAdded' && event.params.entry.level === 'error')))
      .map((event) => JSON.stringify(event.params).slice(0, 500));
  }
}

module.exports = {Chrome};
