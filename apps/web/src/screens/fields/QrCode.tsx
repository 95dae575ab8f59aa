import { encode } from 'uqr';

/** Light modules around the code, so that cameras find its edge (ISO/IEC 18004 asks for 4). */
const BORDER_MODULES = 4;

/** A text as a QR code: dark on light in every theme, because that is what cameras know. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { border: BORDER_MODULES, ecc: 'M' });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-48 rounded-md bg-qr-light"
    >
      <path d={dark.join('')} className="fill-qr-dark" />
    </svg>
  );
}
