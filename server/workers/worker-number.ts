/** The environment variable by which a worker process knows its number. */
export const WORKER_NUMBER = 'BERTH_WORKER_NUMBER';
