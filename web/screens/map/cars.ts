import type { PlugGroup } from '#domain/plug-group.ts'

/** The charging ports of cars, from Open EV Data (decision 0104). */
export interface Cars {
  readonly brands: readonly {
    readonly name: string
    /** The name, the plugs, and the maximum power of AC and of DC in kW; 0 if not supported. */
    readonly cars: readonly (readonly [string, readonly PlugGroup[], number, number])[]
  }[]
}
