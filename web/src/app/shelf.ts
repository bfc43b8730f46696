// Stores handles of files in the browser's database.
import type {Handle} from './handles.ts';

/** The open files of one tab, or the folders of symbols. */
export interface Shelved {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly used: number;
  readonly handles: readonly Handle[];
}

/** The store of handles. */
export interface Shelf {
  /** Does work while no other tab changes the shelf. The other calls stand in such work. */
  alone(work: () => Promise<void>): Promise<void>;
  all(): Promise<readonly Shelved[]>;
  put(shelved: Shelved): Promise<void>;
  remove(id: string): Promise<void>;
}

const database = 'crashglass-handles';
const table = 'shelved';

/** The shelf of this browser. The database is created with the first entry and deleted after the last. */
export const browserShelf: Shelf = {
  // Without locks, as on a page over http, a tab may delete what another one writes; it is not restored then.
  alone: async work => {
    const locks = navigator.locks as LockManager | undefined;
    await (locks ? locks.request(database, work) : work());
  },
  all: async () => {
    const exists = (await indexedDB.databases()).some(({name}) => name === database);
    return exists ? inTable('readonly', rows => rows.getAll() as IDBRequest<Shelved[]>) : [];
  },
  put: async shelved => {
    await inTable('readwrite', rows => rows.put(shelved));
  },
  remove: async id => {
    await inTable('readwrite', rows => rows.delete(id));
    if ((await inTable('readonly', rows => rows.count())) === 0) await deleteDatabase();
  },
};

async function inTable<T>(mode: IDBTransactionMode, query: (rows: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const base = await openDatabase();
  try {
    return await settled(query(base.transaction(table, mode).objectStore(table)));
  } finally {
    base.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(database, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(table, {keyPath: 'id'});
  return settled(request);
}

// A tab that still has the database open delays its end, and the work of no tab waits for that.
function deleteDatabase(): Promise<unknown> {
  const request = indexedDB.deleteDatabase(database);
  return new Promise((yes, no) => {
    request.onsuccess = request.onblocked = yes;
    request.onerror = () => no(request.error);
  });
}

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((yes, no) => {
    request.onsuccess = () => yes(request.result);
    request.onerror = () => no(request.error);
  });
