import { useMessages } from '../../messages/messages.ts'
import './site-form.css'

/** The choice of a site while the sites are on the way. */
export const ChoiceSkeleton = () => {
  const { site: text, shell } = useMessages()
  return (
    <div className="choose-list stack late" aria-busy="true">
      <output className="visually-hidden">{shell.loading}</output>
      <h2>{text.chooseTitle}</h2>
      {[1, 2, 3].map((key) => (
        <div key={key} className="card">
          <span className="skeleton skeleton-field" />
        </div>
      ))}
    </div>
  )
}
