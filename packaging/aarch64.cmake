# Builds for AArch64 on another processor: Debian's gcc-aarch64-linux-gnu, a folder that packaging/sysroot filled, qemu-user-static.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static) # the build runs the program for its documents

set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES NSC_SYSROOT)
if(NOT NSC_SYSROOT)
  message(FATAL_ERROR "give -DNSC_SYSROOT=FOLDER, after packaging/sysroot arm64 FOLDER")
endif()
set(CMAKE_FIND_ROOT_PATH ${NSC_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${NSC_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${NSC_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig)
