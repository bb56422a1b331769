import { useMessages } from '../../messages/messages.ts'
import { Placeholder } from '../../ui/placeholder.tsx'
import './site-form.css'

/** The list of sites to choose from while it loads. */
export const ChoiceSkeleton = () => {
  const { site: text } = useMessages()
  return (
    <Placeholder className="choose-list stack">
      <h2>{text.chooseTitle}</h2>
      {[1, 2, 3].map((key) => (
        <div key={key} className="card">
          <span className="skeleton skeleton-field" />
        </div>
      ))}
    </Placeholder>
  )
}
