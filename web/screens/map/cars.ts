import type { PlugGroup } from '#domain/plug-group.ts'

/** The charging ports of cars, from Open EV Data (decision 0104). */
export interface Cars {
  readonly brands: readonly {
    readonly name: string
    /** The name, the plugs, and the most power of AC and of DC in kW; 0 if it takes none. */
    readonly cars: readonly (readonly [string, readonly PlugGroup[], number, number])[]
  }[]
}
