import { vi } from 'vitest'

// Formats depend on the region of the browser. In unit tests it has none.
vi.stubGlobal('navigator', { languages: [] })
