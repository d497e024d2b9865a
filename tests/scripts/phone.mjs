// The storage of a browser, as the scripts use it: what is kept are its own enumerable names.

/** @returns {any} */
export const phone = () => {
  const methods = {
    getItem(name) {
      return Object.hasOwn(this, name) ? this[name] : null;
    },
    setItem(name, text) {
      this[name] = String(text);
    },
    removeItem(name) {
      delete this[name];
    },
    get length() {
      return Object.keys(this).length;
    }
  };
  const own = Object.getOwnPropertyDescriptors(methods);
  for (const each of Object.values(own)) Object.assign(each, { enumerable: false, configurable: true });
  return Object.create(Object.create(null, own));
};
