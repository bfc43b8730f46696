//! Loaded into a program by LD_PRELOAD, writes crash.dmp when the program gets a SIGSEGV.

use std::{mem, ptr};

use crash_context::{fpregset_t, ucontext_t, CrashContext};
use minidump_writer::minidump_writer::MinidumpWriterConfig;

#[used]
#[link_section = ".init_array"]
static ATTACH: extern "C" fn() = attach;

extern "C" fn attach() {
    unsafe {
        let mut action: libc::sigaction = mem::zeroed();
        action.sa_flags = libc::SA_SIGINFO | libc::SA_RESETHAND;
        action.sa_sigaction = crashed as *const () as usize;
        libc::sigaction(libc::SIGSEGV, &action, ptr::null_mut());
    }
}

/// A child writes the dump, because a process cannot trace itself; then the program crashes again, for good.
unsafe extern "C" fn crashed(_signal: i32, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    let mut inner: CrashContext = mem::zeroed();
    ptr::copy_nonoverlapping(info.cast(), &mut inner.siginfo, 1);
    ptr::copy_nonoverlapping(context.cast::<ucontext_t>(), &mut inner.context, 1);
    let float: *const fpregset_t = inner.context.uc_mcontext.fpregs.cast();
    ptr::copy_nonoverlapping(float, &mut inner.float_state, 1);
    inner.pid = libc::getpid();
    inner.tid = libc::syscall(libc::SYS_gettid) as i32;
    let child = libc::fork();
    if child == 0 {
        write(inner);
        libc::_exit(0);
    }
    libc::waitpid(child, ptr::null_mut(), 0);
}

fn write(inner: CrashContext) {
    let mut writer = MinidumpWriterConfig::new(inner.pid, inner.tid);
    writer.set_crash_context(minidump_writer::crash_context::CrashContext { inner });
    let mut file = std::fs::File::create("crash.dmp").expect("create crash.dmp");
    if let Err(error) = writer.write(&mut file) {
        eprintln!("no dump: {error:?}");
    }
}
