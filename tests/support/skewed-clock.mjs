/** Loaded before a program: its machine's clock is CLOCK_SKEW_MS off. */
const skew = Number(process.env.CLOCK_SKEW_MS)
const MachineDate = Date

globalThis.Date = class extends MachineDate {
  constructor(...given) {
    super(...(given.length === 0 ? [MachineDate.now() + skew] : given))
  }

  static now() {
    return MachineDate.now() + skew
  }
}
