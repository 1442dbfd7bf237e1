import { registerHooks } from 'node:module';

/** Puts the stand-in in the place of `electron`, for whoever imports it. */
registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== 'electron' && specifier !== 'electron/main') return next(specifier, context);
    return { url: new URL('./standIn.ts', import.meta.url).href, shortCircuit: true };
  },
});
