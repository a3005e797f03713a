/** Distances between positions on the earth. */

/** In degrees. */
export interface Position {
  latitude: number;
  longitude: number;
}

/** Mean radius of the earth. */
const earthRadiusMetres = 6_371_008.8;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Returns the great-circle distance in metres (haversine). */
export function distanceInMetres(a: Position, b: Position): number {
  const rise = Math.sin(radians(b.latitude - a.latitude) / 2) ** 2;
  const turn = Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
  const h = rise + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * turn;
  return 2 * earthRadiusMetres * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Returns the position `metres` away at `bearing`, in radians clockwise from north. Accurate within a town. */
export function moved(from: Position, metres: number, bearing: number): Position {
  const degrees = 180 / Math.PI / earthRadiusMetres;
  const latitude = from.latitude + metres * Math.cos(bearing) * degrees;
  const longitude =
    from.longitude + (metres * Math.sin(bearing) * degrees) / Math.cos(radians(from.latitude));
  return { latitude: rounded(latitude), longitude: rounded(longitude) };
}

/** Rounds to six decimals, a tenth of a metre. */
const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;
