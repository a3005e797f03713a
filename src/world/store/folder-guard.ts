/** Watches over a data folder in use: renews its lock, and notices that it was removed or taken over. */
import { realNow, type Timer, timer } from "../../time/time.js";
import { FolderLock, heartbeatMs, lockFolder, tryLock } from "./folder-lock.js";
import { checkFormat, needsConversion, prepareFolder, readFormat } from "./storage-format.js";
import { StoreError } from "./store.js";
import type { Durability } from "./sync.js";

/** Files of a folder that can be restored when the guard finds them removed. */
export interface GuardedFiles {
  /** Rewrites all files after the folder was removed. */
  restoreAll(): void;
  /** Rewrites individual files that were removed. */
  restoreRemoved(): void;
}

export interface GuardOptions {
  folder: string;
  durability: Durability;
  /** Version of the program, which the folder keeps for people. */
  version: string;
  warn(message: string): void;
}

export class FolderGuard {
  #refusal: StoreError | null = null;
  #lock: FolderLock;
  #files: GuardedFiles | null = null;
  #heartbeat: Timer | null = null;

  /** Locks the folder, or throws a StoreError if it cannot be used. */
  static async take(options: GuardOptions): Promise<{ guard: FolderGuard; runId: string }> {
    const { folder, durability, version, warn } = options;
    const found = readFormat(folder, version);
    prepareFolder(folder, durability);
    const lock = await lockFolder(folder, warn);
    try {
      if (needsConversion(folder, found)) {
        const { convertFolder } = await import("./conversion.js");
        const check = () => {
          if (lock.renew() !== "held") throw new Error("the folder was removed or taken over");
        };
        const noteFormat = () => void checkFormat(folder, "power", version);
        await convertFolder({ folder, check, noteFormat, warn });
      }
      const isNew = checkFormat(folder, durability, version);
      return { guard: new FolderGuard(options, lock), runId: isNew ? "" : realNow().toString(36) };
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  constructor(
    readonly options: GuardOptions,
    lock: FolderLock,
  ) {
    this.#lock = lock;
  }

  /**
   * Error that prevents all reads and writes, or null. Looks at the lock if its last heartbeat is too long ago, because
   * another process may have taken the folder over while this one was suspended.
   */
  get refusal(): StoreError | null {
    if (this.#refusal === null && this.#lock.isLate) this.check();
    return this.#refusal;
  }

  /** Starts to renew the lock every second. */
  watch(files: GuardedFiles): void {
    this.#files = files;
    this.#beat();
  }

  #beat(): void {
    this.#heartbeat = timer(heartbeatMs, () => {
      if (this.check()) this.#beat();
    });
  }

  /** Returns whether this process still owns the folder. */
  canWrite(): boolean {
    return this.refusal === null && this.#lock.renew() === "held";
  }

  release(): void {
    this.#heartbeat?.cancel();
    this.#lock.release();
  }

  /** Renews the lock and restores files that were removed. Returns false if another process has taken the folder. */
  check(): boolean {
    const { folder } = this.options;
    try {
      const state = this.#lock.renew();
      if (state === "taken") {
        const message = `the data folder ${folder} was taken over by another process while this one did not respond; stop one of them`;
        this.#refuse(new StoreError(message));
        return false;
      }
      if (state === "removed") this.#restore();
      this.#files?.restoreRemoved();
    } catch (error) {
      this.#refuse(error as Error);
    }
    return true;
  }

  #refuse(error: Error): void {
    if (this.#refusal?.message === error.message) return;
    this.#refusal = error instanceof StoreError ? error : new StoreError(error.message);
    this.#refusal.isReported = true;
    this.options.warn(error.message);
  }

  /** Rewrites the folder from memory after it was removed. */
  #restore(): void {
    const { folder, durability, version, warn } = this.options;
    prepareFolder(folder, durability);
    const lock = tryLock(folder);
    if (!(lock instanceof FolderLock)) throw new StoreError(`the data folder ${folder} is in use again`);
    this.#lock = lock;
    checkFormat(folder, durability, version);
    this.#refusal = null;
    warn(
      `${folder} was removed while it was in use; accounts in memory are written again, all others are lost`,
    );
    this.#files?.restoreAll();
  }
}
