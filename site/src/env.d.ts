declare namespace App {
  interface Locals {
    readonly berth: import('../../server/site/site-locals.ts').SiteLocals;
  }
}
