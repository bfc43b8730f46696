/** Processor time of this process in ms: unlike a clock, it does not tell of what else the machine does. */
export const cpu = (): number => process.cpuUsage().user / 1000;
