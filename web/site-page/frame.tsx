import { MapPinned } from 'lucide-react'
import type { ReactNode } from 'react'

import { inLanguage } from '#domain/site-pages.ts'
import '../app/shell.css'
import { OperatorLinks } from '../app/footer.tsx'
import { LOCALES } from '../messages/locale.ts'
import { useLanguage } from '../messages/messages.ts'
import { PATHS } from '../paths.ts'
import { useSettings } from '../settings.ts'
import { LogoTile } from '../ui/logo.tsx'
import './site-page.css'

interface Props {
  /** The path of the page, without its language. */
  readonly path: string
  readonly children: ReactNode
}

/** The frame of a page: bar, content, and a footer with links to its languages. */
export const Frame = ({ path, children }: Props) => {
  const { language, messages } = useLanguage()
  const text = messages.traveller
  const { 'base-path': basePath, 'product-name': product } = useSettings()
  return (
    <div className="shell site-page">
      <a className="skip-link" href="#main">
        {messages.shell.skip}
      </a>
      <header className="top-bar">
        <div className="top-bar-row">
          <a className="site-page-home" href={`${basePath}/`} aria-label={text.home(product)}>
            <LogoTile />
            <span aria-hidden="true">{product}</span>
          </a>
          <span />
          <div className="top-bar-end">
            <a className="button" href={basePath + PATHS.map}>
              <MapPinned className="icon" />
              {messages.titles.map}
            </a>
          </div>
        </div>
      </header>
      <main className="main" id="main" tabIndex={-1}>
        {children}
      </main>
      <footer className="footer">
        <span>{product}</span>
        <OperatorLinks />
        <nav className="footer-links" aria-label={text.languages}>
          {Object.entries(LOCALES).map(([code, name]) => (
            <a
              key={code}
              href={inLanguage(basePath + path, code as keyof typeof LOCALES)}
              lang={code}
              hrefLang={code}
              data-language={code}
              data-base-path={basePath}
              aria-current={code === language || undefined}
            >
              {name}
            </a>
          ))}
        </nav>
      </footer>
    </div>
  )
}
