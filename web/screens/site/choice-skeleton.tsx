import { useMessages } from '../../messages/messages.ts'
import './site-form.css'

/** The list of sites to choose from while it loads. */
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
