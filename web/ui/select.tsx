import type { ComponentProps } from 'react'

/** A select without a label, which the caller provides. */
export const Select = (props: Omit<ComponentProps<'select'>, 'className'>) => (
  <span className="select">
    <select {...props} className="input" />
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d="m6 9 6 6 6-6" fill="none" stroke="currentColor" strokeWidth="2" />
    </svg>
  </span>
)
