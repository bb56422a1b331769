import type { EmbeddedMap } from './embedded-map.ts'

// The script of a page with the map of a business. The map library is loaded when the map becomes visible.

const place = document.querySelector<HTMLElement>('[data-map]')

const open = async (container: HTMLElement): Promise<void> => {
  const options = JSON.parse(container.dataset['map'] ?? '') as EmbeddedMap
  try {
    const { openEmbeddedMap } = await import('./embedded-map.ts')
    await openEmbeddedMap(container, options)
  } catch {
    // The list below contains all sites.
    const note = document.createElement('p')
    note.className = 'embed-note'
    note.textContent = options.missing
    container.replaceWith(note)
  }
}

if (place !== null) {
  place.hidden = false
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    observer.disconnect()
    void open(place)
  })
  observer.observe(place)
}
