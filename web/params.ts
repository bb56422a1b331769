import { createContext, use } from 'react'

type Params = Readonly<Record<string, string | undefined>>

export const ParamsContext = createContext<Params>({})

/** The parts of the path that the route of the screen names (`:id`). */
export const useParams = (): Params => use(ParamsContext)
