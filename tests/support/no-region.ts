// Formats depend on the region of the browser. In unit tests it has none.
Object.defineProperty(navigator, 'languages', { value: [], configurable: true })
