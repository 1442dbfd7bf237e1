/*
 * Runs in the measured page before its own scripts: what only the page itself can tell. Plain JavaScript, because it is
 * handed to the browser as it is.
 */
(() => {
  /** The longest entry of each interaction, milliseconds. */
  const interactions = new Map();
  const measured = { largestPaint: 0, shift: 0 };

  const observe = (options, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ buffered: true, ...options });
  observe({ type: 'largest-contentful-paint' }, ({ startTime }) => {
    measured.largestPaint = startTime;
  });
  observe({ type: 'layout-shift' }, ({ hadRecentInput, value }) => {
    if (!hadRecentInput) measured.shift += value;
  });
  observe({ type: 'event', durationThreshold: 16 }, ({ interactionId, duration }) => {
    if (interactionId > 0) interactions.set(interactionId, Math.max(duration, interactions.get(interactionId) ?? 0));
  });

  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  /** When something is drawn: the task after the frame that holds it. */
  const drawn = async (selector) => {
    while (document.querySelector(selector) === null) await frame();
    await frame();
    await new Promise((resolve) => setTimeout(resolve));
    return performance.now();
  };

  globalThis.bench = {
    measured,
    /** When the first content was drawn. */
    content: drawn('.tile'),
    /** The interactions since it was asked last. */
    takeInteractions: async () => {
      await frame();
      await frame();
      await new Promise((resolve) => setTimeout(resolve, 100));
      const longest = Math.max(0, ...interactions.values());
      interactions.clear();
      return longest;
    },
    /** Resolves once nothing more was loaded for a second. The live stream never ends, so the network is never idle. */
    settled: async () => {
      for (let before = -1, now = 0; before !== now; now = performance.getEntriesByType('resource').length) {
        before = now;
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    },
    /** Scripts asked for before the content stood. */
    scriptsBefore: (moment) =>
      performance
        .getEntriesByType('resource')
        .filter(({ name, startTime }) => new URL(name).pathname.endsWith('.js') && startTime < moment)
        .map(({ name, encodedBodySize, decodedBodySize }) => ({ name, encodedBodySize, decodedBodySize })),
    /** Presses the link that leads to an address, and waits for what it shows. @returns milliseconds */
    open: async (href, selector) => {
      const started = performance.now();
      document.querySelector(`a[href="${href}"]`).click();
      return (await drawn(selector)) - started;
    },
    /** Scrolls for some seconds. @returns how long each frame took, milliseconds */
    scroll: async (seconds, pixels) => {
      const frames = [];
      let last = await frame();
      for (const end = last + seconds * 1000; last < end; ) {
        scrollBy(0, pixels);
        const now = await frame();
        frames.push(now - last);
        last = now;
      }
      return frames;
    },
  };
})();
