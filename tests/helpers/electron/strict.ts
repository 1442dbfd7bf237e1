/** Names that the language and its tools ask of any object. */
const ASKED_OF_ALL = new Set(['then', 'toJSON', 'asymmetricMatch', 'nodeType', 'constructor', '__esModule', 'default']);

/**
 * Makes touching what the stand-in does not have fail loudly, so that code which begins to use more of Electron is seen at
 * once instead of running on `undefined`.
 */
export function strict<T extends object>(name: string, target: T): T {
  return new Proxy(target, {
    get(object, property, receiver) {
      if (
        typeof property === 'symbol' ||
        property in object ||
        property.startsWith('_') ||
        ASKED_OF_ALL.has(property)
      ) {
        return Reflect.get(object, property, receiver === undefined ? object : object);
      }
      throw new Error(`${name}.${property} is not part of the stand-in for Electron`);
    },
  });
}

/** Refuses options that the stand-in would silently ignore. */
export function checkOptions(name: string, options: object, known: readonly string[]): void {
  for (const option of Object.keys(options)) {
    if (!known.includes(option))
      throw new Error(`${name}: the option ${option} is not part of the stand-in for Electron`);
  }
}
