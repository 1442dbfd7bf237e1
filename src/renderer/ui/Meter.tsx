export interface MeterProps {
  readonly label: string;
  readonly done: number;
  readonly total: number;
}

/** How much is done of what takes a while. */
export function Meter({ label, done, total }: MeterProps) {
  return (
    <span
      className="meter"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done}
    >
      <span className="meter__fill" style={{ width: `${(done / total) * 100}%` }} />
    </span>
  );
}
