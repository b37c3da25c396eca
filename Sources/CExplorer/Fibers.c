// Stacks to switch between, within one thread: assembly on x86-64, ucontext elsewhere.
#if !defined(__x86_64__)
#define _XOPEN_SOURCE 700
#endif
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE
#include "CExplorer.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#if !defined(__x86_64__)
#include <ucontext.h>
#endif

// As large as the stack of a program's first thread on Linux. What isn't touched takes no memory.
enum { stack_size = 8 * 1024 * 1024, guard_size = 64 * 1024 };

struct explorer_fiber {
#if defined(__x86_64__)
  void *stack_pointer;
#else
  ucontext_t context;
#endif
  char *stack;
  void (*body)(void *);
  void *argument;
  explorer_fiber *next_free, *next_made;
};

static explorer_fiber main_fiber;
static explorer_fiber *free_fibers, *made_fibers;

explorer_fiber *explorer_fiber_main(void) { return &main_fiber; }

#if defined(__x86_64__)
// Saves what a function must keep, changes the stack, restores. A new stack holds zeros for the registers, the fiber in
// rbx, and the address of the entry.
void explorer_switch_stacks(void **from, void *to);
void explorer_enter_fiber(void);
__asm__(
    ".text\n"
    "explorer_switch_stacks:\n"
    "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
    "  movq %rsp, (%rdi)\n"
    "  movq %rsi, %rsp\n"
    "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n"
    "  retq\n"
    "explorer_enter_fiber:\n"
    "  movq %rbx, %rdi\n"
    "  xorl %ebp, %ebp\n"
    "  callq explorer_run_fiber\n"
    "  ud2\n");

__attribute__((used)) void explorer_run_fiber(explorer_fiber *fiber);
void explorer_run_fiber(explorer_fiber *fiber) { fiber->body(fiber->argument); }

static void prepare(explorer_fiber *fiber) {
  void **top = (void **)(fiber->stack + guard_size + stack_size);
  top -= 2;  // aligned to 16 at the entry's call
  *--top = (void *)explorer_enter_fiber;
  *--top = 0;      // rbp
  *--top = fiber;  // rbx
  for (int registers = 0; registers < 4; registers++) *--top = 0;
  fiber->stack_pointer = top;
}

void explorer_fiber_switch(explorer_fiber *from, explorer_fiber *to) {
  explorer_switch_stacks(&from->stack_pointer, to->stack_pointer);
}
#else
static void enter(unsigned high, unsigned low) {
  explorer_fiber *fiber = (explorer_fiber *)((uintptr_t)high << 32 | low);
  fiber->body(fiber->argument);
}

static void prepare(explorer_fiber *fiber) {
  getcontext(&fiber->context);
  fiber->context.uc_stack.ss_sp = fiber->stack + guard_size;
  fiber->context.uc_stack.ss_size = stack_size;
  fiber->context.uc_link = 0;
  uintptr_t address = (uintptr_t)fiber;
  makecontext(&fiber->context, (void (*)(void))enter, 2, (unsigned)(address >> 32), (unsigned)address);
}

void explorer_fiber_switch(explorer_fiber *from, explorer_fiber *to) { swapcontext(&from->context, &to->context); }
#endif

explorer_fiber *explorer_fiber_make(void (*body)(void *), void *argument) {
  explorer_fiber *fiber = free_fibers;
  if (fiber) {
    free_fibers = fiber->next_free;
  } else {
    fiber = mmap(0, sizeof *fiber, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    fiber->stack =
        mmap(0, guard_size + stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    mprotect(fiber->stack, guard_size, PROT_NONE);
    fiber->next_made = made_fibers;
    made_fibers = fiber;
  }
  fiber->body = body;
  fiber->argument = argument;
  prepare(fiber);
  return fiber;
}

// On a stack of its own, as the one in question is full. The signal comes again when this returns, and then ends the
// process.
static void tell_full_stack(int number, siginfo_t *info, void *context) {
  (void)number, (void)context;
  static const char text[] =
      "\nfatal error: the stack of a thread is full, which is 8 MB: recursion without end, or too much on it\n";
  char *address = info->si_addr;
  for (explorer_fiber *fiber = made_fibers; fiber; fiber = fiber->next_made) {
    if (address >= fiber->stack && address < fiber->stack + guard_size && write(2, text, sizeof text - 1) < 0) return;
  }
}

void explorer_note_full_stacks(void) {
  static char memory[64 * 1024];
  stack_t stack;
  memset(&stack, 0, sizeof stack);
  stack.ss_sp = memory;
  stack.ss_size = sizeof memory;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = tell_full_stack;
  action.sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND);
  if (sigaltstack(&stack, 0) != 0) return;
  sigaction(SIGSEGV, &action, 0);
  sigaction(SIGBUS, &action, 0);
}

void explorer_fiber_free(explorer_fiber *fiber) {
  fiber->next_free = free_fibers;
  free_fibers = fiber;
}
