import { powerMonitor } from 'electron';

/** Not every system tells when it goes over to its battery. */
const ASK_EVERY_MS = 30_000;

/** Tells whether the machine runs on its battery: now, and whenever that changes. */
export function followPower(onChange: (isOnBattery: boolean) => void): void {
  let last: boolean | null = null;
  const ask = () => {
    const isOnBattery = powerMonitor.isOnBatteryPower();
    if (isOnBattery === last) return;
    last = isOnBattery;
    onChange(isOnBattery);
  };
  powerMonitor.on('on-battery', ask);
  powerMonitor.on('on-ac', ask);
  powerMonitor.on('resume', ask);
  setInterval(ask, ASK_EVERY_MS).unref();
  ask();
}
