import { keepLocale, type Locale } from '../messages/locale.ts'

/** Shows a button that does nothing without a script. */
const offer = (button: HTMLElement, act: () => void): void => {
  button.hidden = false
  button.addEventListener('click', act)
}

/** A button that shares the address of a page about a site, or else copies it. */
const shareButton = (): void => {
  const button = document.querySelector<HTMLButtonElement>('[data-share]')
  const copied = document.querySelector<HTMLElement>('[data-copied]')
  // The clipboard needs a secure page.
  const { share, clipboard } = navigator as Partial<Navigator>
  if (button === null || (share === undefined && clipboard === undefined)) return
  const url = button.dataset['share'] ?? ''
  const act = async (): Promise<void> => {
    if (share !== undefined) return share.call(navigator, { title: document.title, url })
    await clipboard?.writeText(url)
    if (copied !== null) copied.textContent = copied.dataset['copied'] ?? ''
  }
  // Whoever closes the dialog of the device has not met an error.
  offer(button, () => void act().catch(() => undefined))
}

const printButton = (): void => {
  const button = document.querySelector<HTMLButtonElement>('[data-print]')
  if (button !== null) offer(button, () => print())
}

/** The language that somebody chooses is that of the app, too, and of pages whose address names none. */
const languageLinks = (): void => {
  for (const link of document.querySelectorAll<HTMLElement>('[data-language]'))
    link.addEventListener('click', () => {
      const { language, basePath } = link.dataset
      keepLocale(language as Locale, basePath ?? '')
    })
}

// The script of a page about a site, and of its poster.
shareButton()
printButton()
languageLinks()
