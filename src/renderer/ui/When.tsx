import { useFormats, useNow } from './useFormats.ts';

/** A moment as a relative time, with the exact time on hover. */
export function When({ moment }: { readonly moment: string }) {
  const formats = useFormats();
  return (
    <time dateTime={moment} title={formats.dateTime(moment)} className="nowrap">
      {formats.relative(moment, useNow())}
    </time>
  );
}
