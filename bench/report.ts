import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';

/** Something that was measured against what it should be. `null` where it could not be measured, with the reason in `note`. */
export interface BenchGoal {
  readonly name: string;
  readonly value: number | null;
  readonly unit: string;
  /** Such as `<= 0.12`. */
  readonly goal: string;
  readonly ok: boolean | null;
  readonly note?: string;
}

/** What a benchmark found; peers and floors were measured in the same run. */
export interface BenchReport {
  readonly name: string;
  readonly machine: string;
  readonly goals: readonly BenchGoal[];
  /** Further figures, one object a line of a table. */
  readonly rows?: readonly Readonly<Record<string, string | number | null>>[];
  /** The same for programs: stands beside the goals in what `--json` prints. */
  readonly figures?: Readonly<Record<string, unknown>>;
}

/** What every benchmark is told. */
export interface BenchOptions {
  /** Which texts to work on (`corpusFolder`). */
  readonly corpus: string;
}

/** The machine that a report was made on. */
export function describeMachine(): string {
  const processors = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  return `${processors.length} x ${processors[0]?.model.trim() ?? 'unknown'}, ${memory} GB, ${process.platform}, Node ${process.versions.node}`;
}

/** Compares a figure with its bound; a figure that is null was not measured. */
export function goal(
  name: string,
  value: number | null,
  unit: string,
  bound: { readonly atMost: number } | { readonly atLeast: number },
  note?: string,
): BenchGoal {
  const most = 'atMost' in bound;
  const limit = most ? bound.atMost : bound.atLeast;
  const rounded = value === null ? null : Number(value.toPrecision(3));
  const ok = value === null ? null : most ? value <= limit : value >= limit;
  const measured = { name, value: rounded, unit, goal: `${most ? '<=' : '>='} ${limit}`, ok };
  return note === undefined ? measured : { ...measured, note };
}

/** The value below which a share of all values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Whether a program can be started here. */
export function isInstalled(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

function printTable(rows: readonly Readonly<Record<string, unknown>>[]): void {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const text = (value: unknown) =>
    value === undefined || value === null
      ? '-'
      : typeof value === 'number'
        ? String(Number(value.toPrecision(4)))
        : String(value);
  const lines = [columns, ...rows.map((row) => columns.map((column) => text(row[column])))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  for (const line of lines) {
    process.stdout.write(`${line.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ')}\n`);
  }
}

/** Prints a report for people. */
export function printReport({ name, machine, goals, rows }: BenchReport): void {
  process.stdout.write(`${name} on ${machine}\n\n`);
  printTable(
    goals.map(({ name: what, value, unit, goal: wanted, ok, note }) => ({
      goal: what,
      value,
      unit,
      wanted,
      reached: ok === null ? 'not measured' : ok ? 'yes' : 'NO',
      note: note ?? '',
    })),
  );
  if (rows === undefined || rows.length === 0) return;
  process.stdout.write('\n');
  printTable(rows);
}
