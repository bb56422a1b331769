import { Link } from 'react-router'

import { useSettings } from '../settings.ts'
import { useStoreState } from '../data/react.ts'
import { useMessages } from '../messages/messages.ts'
import { ExampleSite } from '../ui/example-site.tsx'
import { PATHS } from '../paths.ts'
import './home.css'

/** The public start page: the product, the steps, and links to the sign-in and the map for travellers. */
export const Home = () => {
  const messages = useMessages()
  const settings = useSettings()
  const { user } = useStoreState()
  const text = messages.home
  return (
    <div className="home">
      <section className="home-hero">
        <div className="home-words">
          <h2>{text.headline}</h2>
          <p className="home-lead">{text.lead(settings['product-name'])}</p>
          <div className="home-ways">
            <Link
              className="button primary large"
              to={user === null ? PATHS.login : PATHS.dashboard}
            >
              {user === null ? text.start : text.dashboard}
            </Link>
            <Link className="button large" to={PATHS.map}>
              {messages.titles.map}
            </Link>
          </div>
        </div>
        <ExampleSite />
      </section>

      <section aria-labelledby="home-steps">
        <h2 id="home-steps">{text.stepsTitle}</h2>
        <ol className="home-steps">
          {text.steps.map((step) => (
            <li key={step.title} className="card">
              <h3>{step.title}</h3>
              <p className="muted">{step.text}</p>
            </li>
          ))}
        </ol>
      </section>

      <section aria-labelledby="home-questions">
        <h2 id="home-questions">{text.questionsTitle}</h2>
        <div className="home-questions card">
          {text.questions.map(({ question, answer }) => (
            <details key={question}>
              <summary>{question}</summary>
              <p className="muted">{answer}</p>
            </details>
          ))}
        </div>
      </section>
    </div>
  )
}
