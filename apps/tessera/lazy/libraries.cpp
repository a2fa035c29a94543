// OpenSSL and zlib, loaded when first used: most commands make or read an ID and end, and would
// spend more time on loading these than on anything else.
//
// Each name below is a function of a few instructions that jumps to where its slot says. At first
// that is to a resolver, which loads the library, writes the true address into the slot, and goes
// on there with all arguments as they were. As every name is defined here, the linker finds that it
// needs no library (--as-needed); a name that is missing brings its library back, and a test fails.
//
// On x86-64 only; elsewhere the program is linked with both, as usual.

#include <dlfcn.h>
#include <openssl/opensslv.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>

#define TESSERA_TEXT_OF(x) #x
#define TESSERA_TEXT(x) TESSERA_TEXT_OF(x)

namespace {

// By the numbers that stand before the names below.
constexpr const char* kFiles[] = {"libssl.so." TESSERA_TEXT(OPENSSL_SHLIB_VERSION),
                                  "libcrypto.so." TESSERA_TEXT(OPENSSL_SHLIB_VERSION), "libz.so.1"};

// As the text below lays it out.
struct Slot {
  std::atomic<void*> target;
  const char* name;
  std::uint64_t library;
};
static_assert(sizeof(Slot) == 24 && std::atomic<void*>::is_always_lock_free);

}  // namespace

// Called by the resolver. Threads that meet here find the same.
extern "C" [[gnu::visibility("hidden"), gnu::used]] void* tessera_lazy_find(Slot* slot) noexcept {
  void* library = dlopen(kFiles[slot->library], RTLD_NOW | RTLD_GLOBAL);
  void* target = library == nullptr ? nullptr : dlsym(library, slot->name);
  if (target == nullptr) {
    std::fprintf(stderr, "tessera: could not load %s: %s\n", kFiles[slot->library], dlerror());
    _exit(3);
  }
  slot->target.store(target, std::memory_order_release);
  return target;
}

// All that can hold an argument is kept: six registers, eight vectors, and al, which says how many
// of these a function with any number of arguments has got.
__asm__(R"(
  .text
  .type tessera_lazy_resolve, @function
tessera_lazy_resolve:
  push %rbp
  mov %rsp, %rbp
  push %rdi
  push %rsi
  push %rdx
  push %rcx
  push %r8
  push %r9
  push %rax
  push %r10
  sub $128, %rsp
  movups %xmm0, (%rsp)
  movups %xmm1, 16(%rsp)
  movups %xmm2, 32(%rsp)
  movups %xmm3, 48(%rsp)
  movups %xmm4, 64(%rsp)
  movups %xmm5, 80(%rsp)
  movups %xmm6, 96(%rsp)
  movups %xmm7, 112(%rsp)
  mov %r11, %rdi
  call tessera_lazy_find
  mov %rax, %r11
  movups (%rsp), %xmm0
  movups 16(%rsp), %xmm1
  movups 32(%rsp), %xmm2
  movups 48(%rsp), %xmm3
  movups 64(%rsp), %xmm4
  movups 80(%rsp), %xmm5
  movups 96(%rsp), %xmm6
  movups 112(%rsp), %xmm7
  add $128, %rsp
  pop %r10
  pop %rax
  pop %r9
  pop %r8
  pop %rcx
  pop %rdx
  pop %rsi
  pop %rdi
  pop %rbp
  jmp *%r11
  .size tessera_lazy_resolve, . - tessera_lazy_resolve

  .macro tessera_lazy library, names:vararg
    .irp name, \names
      .section .rodata
  .Llazy_name_\name:
      .asciz "\name"
      .data
      .balign 8
  .Llazy_slot_\name:
      .quad .Llazy_first_\name
      .quad .Llazy_name_\name
      .quad \library
      .text
      .globl \name
      .hidden \name
      .type \name, @function
  \name:
      jmp *.Llazy_slot_\name(%rip)
  .Llazy_first_\name:
      lea .Llazy_slot_\name(%rip), %r11
      jmp tessera_lazy_resolve
      .size \name, . - \name
    .endr
  .endm

  tessera_lazy 0, SSL_CTX_check_private_key, SSL_CTX_ctrl, SSL_CTX_free
  tessera_lazy 0, SSL_CTX_get_default_passwd_cb_userdata, SSL_CTX_get_ex_data
  tessera_lazy 0, SSL_CTX_get_verify_callback, SSL_CTX_load_verify_file
  tessera_lazy 0, SSL_CTX_load_verify_locations, SSL_CTX_new, SSL_CTX_set_alpn_select_cb
  tessera_lazy 0, SSL_CTX_set_default_passwd_cb_userdata, SSL_CTX_set_default_verify_paths
  tessera_lazy 0, SSL_CTX_set_ex_data, SSL_CTX_set_options, SSL_CTX_set_verify
  tessera_lazy 0, SSL_CTX_use_PrivateKey_file, SSL_CTX_use_certificate_chain_file, SSL_accept
  tessera_lazy 0, SSL_connect, SSL_ctrl, SSL_free, SSL_get0_param, SSL_get_error, SSL_get_ex_data
  tessera_lazy 0, SSL_get_shutdown, SSL_get_verify_result, SSL_new, SSL_read, SSL_read_ex
  tessera_lazy 0, SSL_select_next_proto, SSL_set1_host, SSL_set_bio, SSL_set_ex_data
  tessera_lazy 0, SSL_shutdown, SSL_write, SSL_write_ex, TLS_client_method, TLS_method
  tessera_lazy 0, TLS_server_method
  tessera_lazy 1, BIO_clear_flags, BIO_ctrl, BIO_ctrl_pending, BIO_free, BIO_get_data
  tessera_lazy 1, BIO_get_new_index, BIO_meth_new, BIO_meth_set_ctrl, BIO_meth_set_read
  tessera_lazy 1, BIO_meth_set_write, BIO_new, BIO_new_bio_pair, BIO_read, BIO_set_data
  tessera_lazy 1, BIO_set_flags, BIO_set_init, BIO_write, ERR_clear_error, ERR_get_error
  tessera_lazy 1, ERR_lib_error_string, ERR_peek_error, ERR_peek_last_error
  tessera_lazy 1, ERR_reason_error_string, EVP_DigestFinal_ex, EVP_DigestInit_ex2
  tessera_lazy 1, EVP_DigestUpdate, EVP_MD_CTX_free, EVP_MD_CTX_new, EVP_MD_fetch
  tessera_lazy 1, X509_VERIFY_PARAM_set1_ip_asc, X509_verify_cert_error_string
  tessera_lazy 2, deflate, deflateEnd, deflateInit2_
)");
