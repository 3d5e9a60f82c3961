/** What becomes of a request for an administrators' page. */
export type PageAnswer<T> = ShownPage<T> | MovedPage | RefusedPage;

export interface ShownPage<T> {
  readonly kind: 'shown';
  /** 200, or that of the API where it refused what a form asked for. */
  readonly status: number;
  readonly page: T;
}

/** Answered with 303: what a form did is shown elsewhere, and reloading that page does not do it again. */
export interface MovedPage {
  readonly kind: 'moved';
  readonly to: string;
}

/** There is nothing to show to this viewer; in the words of the API. */
export interface RefusedPage {
  readonly kind: 'refused';
  readonly status: number;
  readonly code: string;
  readonly detail: string;
}

export function show<T>(page: T, status = 200): ShownPage<T> {
  return { kind: 'shown', status, page };
}

export function moveTo(to: string): MovedPage {
  return { kind: 'moved', to };
}

/** What kept a form from being carried out, for the page it came from. */
export interface FormFailure {
  /** The value of the form's field `action`. */
  readonly action: string;
  readonly message: string;
}
