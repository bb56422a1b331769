/**
 * The paths of imports and feeds, below the base path of the installation. They are separate from `API` because only a
 * few screens use them.
 */
export const IMPORT_API = {
  /** Takes a file, a text or an address; `domain/import.ts` declares bodies and records. */
  imports: '/api/imports',
  import: (id: string) => `/api/imports/${id}`,
  importMapping: (id: string) => `/api/imports/${id}/mapping`,
  importRow: (id: string, number: string) => `/api/imports/${id}/rows/${number}`,
  importRun: (id: string) => `/api/imports/${id}/run`,
  importUndo: (id: string) => `/api/imports/${id}/undo`,
  feeds: '/api/feeds',
  feedToken: (id: string) => `/api/feeds/${id}/token`,
  feedRead: (id: string) => `/api/feeds/${id}/read`,
} as const
