/** The data that the page of a sweep shows. */
export interface PageData {
  readonly title: string;
  readonly scene: string;
  readonly version: string;
  /** names of what differs between jobs */
  readonly varied: readonly string[];
  readonly metrics: readonly string[];
  /** by name */
  readonly units: Readonly<Record<string, string>>;
  /** by name, a value for each job */
  readonly columns: Readonly<Record<string, readonly (number | string | boolean | null)[]>>;
  readonly rows: number;
  readonly failed: readonly { readonly error: string; readonly command: string }[];
}
